# SPDX-License-Identifier: Apache-2.0
"""Asks a language model behind an HTTP endpoint of the common chat shape.

    export LLM_URL=https://example.com/v1/chat/completions LLM_MODEL=NAME LLM_KEY=SECRET
    hexarena play "llm:python3 llm.py" painter --turns 30 --turn-timeout 2m

The prompt comes on standard input, the answer goes to standard output. Recordings have the
answer; they never have the environment, and so not the key.
"""
import json
import os
import sys
import urllib.request

request = urllib.request.Request(
    os.environ["LLM_URL"],
    data=json.dumps({
        "model": os.environ["LLM_MODEL"],
        "messages": [{"role": "user", "content": sys.stdin.read()}],
    }).encode(),
    headers={
        "Content-Type": "application/json",
        "Authorization": "Bearer " + os.environ.get("LLM_KEY", ""),
    },
)
with urllib.request.urlopen(request, timeout=100) as answer:
    print(json.load(answer)["choices"][0]["message"]["content"])
