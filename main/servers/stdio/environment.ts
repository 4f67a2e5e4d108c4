// Where commands are looked for and what a server is given of our environment. An application that is started from a
// dock or a menu has a bare PATH: then the person's login shell is asked for theirs, once, at the first start of a server.
// A server gets a small environment, so that no token of ours ends up in a program that somebody else wrote.
import { existsSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { HostError } from '#app/errors.ts'
import type { StdioDefinition } from '#app/server/definition.ts'
import { childEnvironment, variable } from './child-environment.ts'
import { askLoginShell } from './login-shell.ts'
import { expandHome, resolveCommand } from './resolve-command.ts'
import { wellKnownFolders } from './well-known-folders.ts'

/** `terminal`: we were started from one, so ours is the person's; `fallback`: ours, and folders that usually are on it. */
export type PathSource = 'terminal' | 'login-shell' | 'fallback'

export interface SearchPath {
  readonly path: string
  readonly source: PathSource
}

/** A definition made ready for `launchStdio`. */
export interface PreparedLaunch {
  /** Absolute. */
  readonly command: string
  readonly args: readonly string[]
  /** Minimal, plus the definition's. Holds secrets. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** What `command` was looked for in. */
  readonly path: string
  readonly pathSource: PathSource | 'config'
}

/** The seam: the command line and the tests may bring their own. */
export interface Environment {
  searchPath(): Promise<SearchPath>
  /** Rejects with `server.cwd-not-found` or `server.command-not-found`. */
  prepare(definition: Pick<StdioDefinition, 'command' | 'args' | 'env' | 'cwd'>): Promise<PreparedLaunch>
}

export interface EnvironmentOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly platform?: NodeJS.Platform
  readonly home?: string
  /** Where a server without a folder of its own runs; default: the home folder. */
  readonly defaultCwd?: string
  readonly isTerminal?: boolean
  /** How long the login shell may take, in milliseconds. */
  readonly shellTimeoutMs?: number
}

export function createEnvironment(options: EnvironmentOptions = {}): Environment {
  const env = options.env ?? process.env
  const platform = options.platform ?? process.platform
  const home = options.home ?? homedir()
  let asked: Promise<SearchPath> | undefined

  const findPath = async (): Promise<SearchPath> => {
    const own = variable(env, 'PATH', platform) ?? ''
    const isTerminal = options.isTerminal ?? (process.stdin.isTTY || process.stdout.isTTY || env['SHLVL'] !== undefined)
    // Windows keeps one PATH for every program; there is no shell to ask.
    if (platform === 'win32' || isTerminal) return { path: own, source: 'terminal' }
    const shell = env['SHELL'] || userInfo().shell || (platform === 'darwin' ? '/bin/zsh' : '/bin/bash')
    const path = await askLoginShell({ shell, env, home, timeoutMs: options.shellTimeoutMs ?? 5000 })
    if (path) return { path, source: 'login-shell' }
    const entries = [...own.split(':').filter(Boolean), ...wellKnownFolders(platform, home)]
    return { path: [...new Set(entries)].join(':'), source: 'fallback' }
  }

  const searchPath = (): Promise<SearchPath> => {
    asked ??= findPath()
    return asked
  }

  return {
    searchPath,
    async prepare(definition) {
      const cwd = definition.cwd ? expandHome(definition.cwd, home) : (options.defaultCwd ?? home)
      if (!existsSync(cwd)) throw new HostError('server.cwd-not-found', `The folder ${cwd} does not exist.`, { data: { cwd } })
      const found = await searchPath()
      const configured = variable(definition.env, 'PATH', platform)
      const path = configured ?? found.path
      const pathSource = configured === undefined ? found.source : 'config'
      const command = resolveCommand(definition.command, {
        path,
        pathSource,
        cwd,
        home,
        platform,
        pathExt: variable(env, 'PATHEXT', platform),
      })
      return { command, args: definition.args, env: childEnvironment(env, found.path, definition.env, platform), cwd, path, pathSource }
    },
  }
}
