import { expect, it } from 'vitest'
import { macProxy, nodeProxy, windowsProxy } from './node-platform.ts'

const url = (text: string): URL => new URL(text)

/** As `reg export` writes it (CHEF-KOCH/regtweaks#4, with names of the values as they are there). */
const registry = (server: string, more = ''): string =>
  [
    'Windows Registry Editor Version 5.00',
    '',
    '[HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings]',
    '"MigrateProxy"=dword:00000001',
    '"ProxyEnable"=dword:00000001',
    '"ProxyHttp1.1"=dword:00000000',
    `"ProxyServer"="${server}"`,
    `"ProxyOverride"="${more}<local>"`,
    '',
    '[HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings\\Connections]',
    '"ProxyServer"="other:1"',
  ].join('\r\n')

it.each([
  [registry('http://ProxyServername:80'), 'https://x.example', 'http://ProxyServername:80'],
  [registry('127.0.0.1:7890'), 'https://x.example', 'http://127.0.0.1:7890'],
  [registry('http=a:1;https=b:2;socks=c:3'), 'https://x.example', 'http://b:2'],
  // gentoo90/winreg-rs#50
  [registry('socks=127.0.0.1:1080'), 'https://x.example', undefined],
  [registry('a:1'), 'https://intranet', undefined],
  [registry('a:1', '*.corp.example;10.*;'), 'https://git.corp.example', undefined],
  [registry('a:1', '*.corp.example;10.*;'), 'http://10.1.2.3:80', undefined],
  [registry('a:1', '*.corp.example;10.*;'), 'https://corp.example.org', 'http://a:1'],
  [registry('a:1').replace('"ProxyEnable"=dword:00000001', '"ProxyEnable"=dword:00000000'), 'https://x.example', undefined],
  ['', 'https://x.example', undefined],
])('of the registry %#', (text, address, expected) => {
  expect(windowsProxy(text, url(address))).toBe(expected)
})

const scutil = `<dictionary> {
  ExceptionsList : <array> {
    0 : *.local
    1 : 169.254/16
  }
  ExcludeSimpleHostnames : 1
  FTPPassive : 1
  HTTPEnable : 0
  HTTPSEnable : 1
  HTTPSPort : 8080
  HTTPSProxy : proxy.company.com
  ProxyAutoConfigEnable : 0
}
`

it.each([
  [scutil, 'https://x.example', 'http://proxy.company.com:8080'],
  [scutil, 'http://x.example', undefined],
  [scutil, 'https://printer.local', undefined],
  [scutil, 'https://169.254.3.4', undefined],
  [scutil, 'https://intranet', undefined],
  // httptoolkit/httptoolkit#151: a script, which is not run
  [
    '<dictionary> {\n  ProxyAutoConfigEnable : 1\n  ProxyAutoConfigURLString : http://wpad.company.com/wpad.dat\n}\n',
    'https://x.example',
    undefined,
  ],
])('of scutil %#', (text, address, expected) => {
  expect(macProxy(text, url(address))).toBe(expected)
})

it('asks the system once for a while, and not on Linux', async () => {
  let reads = 0
  const ask = nodeProxy('darwin', async () => {
    reads += 1
    return scutil
  })
  expect([await ask?.('https://a.example'), await ask?.('https://b.example'), reads]).toEqual([
    'http://proxy.company.com:8080',
    'http://proxy.company.com:8080',
    1,
  ])
  expect(nodeProxy('linux')).toBeUndefined()
})

// With a script the manual proxy is not asked for (`InternetSettings`, .NET's `WebRequest.GetSystemWebProxy`).
it.each([
  ['http://proxy.corp.example:8080/\r\n', 'http://proxy.corp.example:8080'],
  ['https://web.example/\r\n', undefined],
  ['', undefined],
  ['Exception calling "GetProxy"', undefined],
])('a script of Windows that answers %j', async (answer, proxy) => {
  const asked: string[] = []
  const settings = registry('a:1').replace('"ProxyEnable"', '"AutoConfigURL"="http://pac.corp.example/proxy.pac"\r\n"ProxyEnable"')
  const ask = nodeProxy(
    'win32',
    async () => settings,
    async (origin) => {
      asked.push(origin)
      return answer
    },
  )
  const found = [await ask?.('https://web.example/mcp?key=secret'), await ask?.('https://web.example/other')]
  expect([found, asked]).toEqual([[proxy, proxy], ['https://web.example']])
})
