"""Runs the shared cases, or those of the file VECTORS: python3 test_vectors.py"""
import json
import os
import sys
from pathlib import Path

from hostdesk_licence import judge

path = os.environ.get('VECTORS') or Path(__file__).parent / '../../vectors.json'
vectors = json.loads(Path(path).read_text(encoding='utf-8'))
wrong = 0
for case in vectors['cases']:
    answer = judge(case['document'], vectors['keys'], **case['expected'])
    if answer != case['answer']:
        wrong += 1
        print(f"{case['name']}: expected {case['answer']}, got {answer}", file=sys.stderr)
print(f"{len(vectors['cases']) - wrong} of {len(vectors['cases'])}")
sys.exit(1 if wrong else 0)
