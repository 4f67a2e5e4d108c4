import { expect, it } from 'vitest'
import { sandboxEnvironment } from './confined-launch.ts'

it('takes out what leads to the session, and puts in its proxy and folders', () => {
  const env = sandboxEnvironment(
    {
      PATH: '/bin',
      SSH_AUTH_SOCK: '/x',
      DOCKER_HOST: 'tcp://1',
      MINE: 'unix:/run/x',
      XDG_CACHE_HOME: '/c',
      HTTPS_PROXY: 'http://corp',
      TOKEN: 't',
      HOME: '/else',
    },
    { home: '/home/a', tmp: '/tmp', proxy: 'http://127.0.0.1:5', hosts: ['localhost:8080'] },
  )
  expect(env).toMatchObject({
    PATH: '/bin',
    TOKEN: 't',
    HOME: '/home/a',
    TMPDIR: '/tmp',
    HTTPS_PROXY: 'http://127.0.0.1:5',
    no_proxy: '127.0.0.1,::1',
    PLAYWRIGHT_MCP_SANDBOX: 'false',
  })
  expect(Object.keys(env).filter((name) => /SSH|DOCKER|MINE|XDG/.test(name))).toEqual([])
})
