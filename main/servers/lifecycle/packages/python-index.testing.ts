// For tests: an index of Python packages on this computer (PEP 503), with notes-mcp in two versions.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

const versions = ['1.2.3', '2.0.0']

/** Writes wheels that say their version. Python makes them: pip takes no other archive. */
const wheels = `
import sys, zipfile
for version in sys.argv[1:]:
    with zipfile.ZipFile(f'notes_mcp-{version}-py3-none-any.whl', 'w') as file:
        at = f'notes_mcp-{version}.dist-info/'
        file.writestr('notes_mcp.py', f'def main():\\n    print("{version}")\\n')
        file.writestr(at + 'METADATA', f'Metadata-Version: 2.1\\nName: notes-mcp\\nVersion: {version}\\n')
        file.writestr(at + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
        file.writestr(at + 'entry_points.txt', '[console_scripts]\\nnotes-mcp = notes_mcp:main\\n')
        file.writestr(at + 'RECORD', '')
`

const isHere = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export const hasPipx = (): boolean => isHere('pipx') && isHere('python3')

/** Starts the index; its wheels lie in `folder`. */
export async function startPythonIndex(folder: string) {
  execFileSync('python3', ['-c', wheels, ...versions], { cwd: folder })
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    if (path.endsWith('.whl')) return response.end(readFileSync(join(folder, path.split('/').at(-1) ?? '')))
    if (!path.startsWith('/simple/notes-mcp')) return response.writeHead(404).end()
    const links = versions.map((version) => `notes_mcp-${version}-py3-none-any.whl`)
    return response.setHeader('content-type', 'text/html').end(links.map((name) => `<a href="${name}">${name}</a>`).join('\n'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple`,
    /** Paths that were asked for. */
    asked,
    close(): void {
      server.close()
      server.closeAllConnections()
    },
  }
}
