// The command that the official suite runs, once a scenario: it hands the scenario to the client in run.ts, and ends as that did.
import { connect } from 'node:net'

const { CONFORMANCE_PORT, MCP_CONFORMANCE_SCENARIO: scenario = '', MCP_CONFORMANCE_CONTEXT: given = '' } = process.env
const socket = connect(Number(CONFORMANCE_PORT), '127.0.0.1')
socket.end(JSON.stringify({ scenario, url: process.argv[2], given }))
let said = ''
for await (const chunk of socket) said += chunk
if (said !== 'done') {
  process.stderr.write(`${said}\n`)
  process.exitCode = 1
}
