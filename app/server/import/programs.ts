// What the first word of a command line tells: something that runs a server, something that only prepares for it, or
// another program's own command for adding one.

const runners =
  /^(?:npx|npm|pnpm|pnpx|yarn|bun|bunx|node|tsx|ts-node|deno|uv|uvx|pipx|python(?:3(?:\.\d+)?)?|py|docker|podman|go|cargo|java|dotnet|dnx|ruby|php|mcp-remote|mcp-proxy|supergateway|cmd|sh|bash|nix|mise|npx\.cmd)$/i

export const programOf = (word: string): string => (word.split(/[\\/]/).at(-1) ?? word).replace(/\.(exe|cmd|bat|ps1)$/i, '').toLowerCase()

export const isRunner = (word: string): boolean => runners.test(programOf(word))

/** A path, or a name that programs have: no sentence begins like that. */
export const isProgram = (word: string): boolean =>
  isRunner(word) || /^(?:\.{0,2}[\\/]|~[\\/]|[A-Za-z]:[\\/]|\$\{userHome\})\S/.test(word) || /^[a-z0-9][a-z0-9_.-]*$/.test(word)

/** Commands of a README that come before the one that runs the server. They are named, and left to the person. */
const preparing =
  /^(?:(?:npm|pnpm|yarn|bun) (?:i|install|ci|add|run build|build|link|init)\b|(?:pip3?|pipx|uv pip|uv tool|cargo|go|brew|apt(?:-get)?|winget|choco|scoop|gem) (?:install|add)\b|(?:uv|poetry) (?:sync|venv|lock|install|add)\b|git |mkdir |cp |mv |rm |curl |wget |source |chmod |(?:docker|podman) (?:pull|build|login|volume|network)\b|python3? -m (?:venv|pip)\b|python3? setup\.py|echo |sudo |make\b|cmake\b|(?:npm|npx) login|corepack )/i

export const isPreparing = (line: string): boolean => preparing.test(`${line.trim()} `)

/** Command lines that configure another program: `npx @smithery/cli install x --client claude`. */
export const isForeignInstaller = (line: string): boolean =>
  /@smithery\/cli\S* +(?:install|mcp add)\b|\b(?:mcp-get|install-mcp|mcp-installer|add-mcp|mcp-add)\b|@(?:[\w-]+\/)?mcpm\b|\bmcpm install\b/.test(
    line,
  )

const hosts = /^(?:claude|codex|gemini|qwen|amp|droid|copilot|auggie|opencode|kiro-cli|vibe|q)$/
const editors = /^(?:code|code-insiders|cursor|codium|vscodium|windsurf|code-oss)$/

export const isMcpAdd = (words: readonly string[]): boolean =>
  hosts.test(programOf(words[0] ?? '')) && words[1] === 'mcp' && /^add(?:-json|-from-claude-desktop)?$/.test(words[2] ?? '')

export const isAddMcp = (words: readonly string[]): boolean =>
  editors.test(programOf(words[0] ?? '')) && words.some((word) => /^--add-mcp(?:=|$)/.test(word))
