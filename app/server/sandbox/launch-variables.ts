// What the name of a variable says of its value: an address to call or one to listen on, a folder to write or one of the system's. Pure.

/** Variables whose addresses a server does not call: proxies, addresses that it listens on, and those that others come back to. */
const notCalled =
  /_proxy$|^(?:HOST|HOSTNAME|PORT|NO_PROXY)$|(?:^|_)(?:REDIRECT|CALLBACK|ORIGINS?|ALLOWED|BIND|LISTEN|FASTMCP|SSE|REFERER)(?:_|$)|MCP_(?:SERVER_)?HOST$|_ISSUER$/i

export const isAddressToCall = (name: string): boolean => !notCalled.test(name)

const usualPorts: Readonly<Record<string, number>> = {
  PG: 5432,
  POSTGRES: 5432,
  MYSQL: 3306,
  MARIADB: 3306,
  REDIS: 6379,
  MONGO: 27_017,
  MONGODB: 27_017,
  MSSQL: 1433,
}

/** Port of the host that a variable names: by the variable beside it, else by the first part of its name. */
export function portNamed(name: string, env: Readonly<Record<string, string>>): number | undefined {
  const beside = env[name.replace(/(?:HOST|HOSTNAME|SERVER|ENDPOINT)$/i, 'PORT')]
  if (beside !== undefined && /^\d{1,5}$/.test(beside)) return Number(beside)
  const [, first = ''] = /^(PG|[A-Z]+)/.exec(name) ?? []
  return usualPorts[first]
}

/** Variables of the system and of tools, which say where a program or its parts lie. */
const ofTools =
  /^(?:PATH|SHELL|TMPDIR|TMP|TEMP|HOME|USERPROFILE|PWD|GOPATH|GOROOT|VIRTUAL_ENV|NODE_OPTIONS)$|^(?:LD|DYLD)_|^XDG_|^(?:NODE|PYTHON|PERL5|RUBY)(?:LIB|PATH)$|^(?:npm|pnpm|yarn|bun|pip|uv|pipx)_/i

export const isOfTools = (name: string): boolean => ofTools.test(name)

/** Variables whose folders are only read: programs, certificates, development kits, credentials. */
const onlyRead =
  /_HOME$|_SDK(?:_ROOT)?$|(?:^|[_-])(?:bin|executable|command|ca|certs?|certificates?|key|kubeconfig|credentials?)(?:[_-]|$)/i

export const isOnlyRead = (name: string): boolean => onlyRead.test(name)

/** Names of variables and options whose files a server writes. */
const written =
  /(?:^|[_-])(?:db|database|sqlite|duckdb|memory|storage|store|cache|token|tokens|log|logs|output|out|history|state|index|data)(?:[_-]|$)/i

export const isWritten = (name: string): boolean => written.test(name)

/** Names of variables and options that mean a folder, which may not be there yet. */
export const isFolderName = (name: string): boolean =>
  /(?:^|[_-])(?:dirs?|directory|directories|folders?)$|(?:^|[_-])(?:storage|data|base|output|vault|workspace)[_-]path$|(?:dir|folder)$/i.test(
    name,
  )
