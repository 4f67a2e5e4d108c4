// For tests: a tool that some server offers.
import type { ToolEntry } from '#app/server/catalogue.ts'
import type { OfferedTool } from '#main/servers/types.ts'

export const makeTool = (name: string, server = 'files'): OfferedTool => {
  const tool: ToolEntry = {
    name,
    inputSchema: { type: 'object' },
    modelName: `${server}__${name}`,
    tokens: 1,
    enabled: true,
    fingerprint: name,
  }
  return { server, tool, trusted: false, local: true }
}
