# SPDX-License-Identifier: MIT
"""What scripts/check_style.py checks: tables.py (who may do what), source.py (reading C), graph.py (who uses whom),
rules.py (the rules)."""
