// A question server over MCP's stdio, which meets each call in the way its argument `metadata` says.
'use strict';

const lines = require('readline').createInterface({ input: process.stdin });
const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
const text = (words, more) => ({ result: { content: [{ type: 'text', text: words }], ...more } });

const TOOL = {
  name: 'AskUserQuestion',
  description: 'Asks the person.',
  inputSchema: {
    type: 'object',
    properties: {
      question: { type: 'string' },
      options: { type: 'array', items: { type: 'string' } },
      metadata: { type: 'string' },
    },
  },
};

const ISSUES = { name: 'list_issues', description: 'Lists issues.', inputSchema: { type: 'object', properties: {} } };

const CALLS = {
  answer: () => text('User responses:\n1. Red'),
  error: () => text('no screen', { isError: true }),
  'protocol-error': () => ({ error: { code: -32603, message: 'exploded' } }),
  lost: () => text('[Tool result missing due to internal error]'),
  crash: () => process.exit(3),
};

const METHODS = {
  initialize: (params) => ({
    result: {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'asker', version: '1' },
    },
  }),
  'tools/list': () => ({ result: { tools: [TOOL, ISSUES] } }),
  'tools/call': (params) =>
    params.name === ISSUES.name ? text('no issues') : CALLS[params.arguments.metadata](),
};

lines.on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return; // a notification
  const handler = METHODS[method];
  write({ id, ...(handler ? handler(params) : { error: { code: -32601, message: 'no such method' } }) });
});
