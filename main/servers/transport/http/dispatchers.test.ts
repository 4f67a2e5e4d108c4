import { describe, expect, it } from 'vitest'
import { passageTo, proxiesIn, proxyFor } from './dispatchers.ts'

const proxies = { http: 'http://plain:1', https: 'secure:2', none: 'intern.example, .deep.example *.star.example only.example:8443' }

describe('the proxy for a server', () => {
  it.each([
    ['http://web.example/mcp', 'http://plain:1'],
    ['https://web.example/mcp', 'http://secure:2'],
    ['https://intern.example/mcp', undefined],
    ['https://a.intern.example/mcp', undefined],
    ['https://notintern.example/mcp', 'http://secure:2'],
    ['https://a.deep.example/mcp', undefined],
    ['https://a.star.example/mcp', undefined],
    ['https://only.example:8443/mcp', undefined],
    ['https://only.example/mcp', 'http://secure:2'],
    ['http://localhost:3000/mcp', undefined],
    ['http://app.localhost:3000/mcp', undefined],
    ['http://127.0.0.1:3000/mcp', undefined],
    ['http://127.1.2.3/mcp', undefined],
    ['http://[::1]:3000/mcp', undefined],
    ['http://10.0.0.1/mcp', 'http://plain:1'],
  ])('at %s is %s', (url, proxy) => {
    expect(proxyFor(url, proxies)).toBe(proxy)
  })

  it('is none where none is wanted at all, or none is named', () => {
    expect(proxyFor('https://web.example', { ...proxies, none: '*' })).toBeUndefined()
    expect(proxyFor('https://web.example', { http: 'http://plain:1' })).toBeUndefined()
    expect(proxyFor('https://web.example', {})).toBeUndefined()
  })

  it.each(['socks5://user:secret@host:1', 'http://', '::'])('that cannot be used is an error, which does not repeat it: %s', (https) => {
    expect(() => proxyFor('https://web.example', { https })).toThrow(expect.objectContaining({ code: 'server.unreachable' }))
    expect(() => proxyFor('https://web.example', { https })).not.toThrow(/secret/)
  })

  it('is read from the environment, small letters first', () => {
    expect(proxiesIn({ HTTP_PROXY: 'a', http_proxy: 'b', HTTPS_PROXY: 'c', NO_PROXY: 'd' })).toEqual({ http: 'b', https: 'c', none: 'd' })
    expect(proxiesIn({ ALL_PROXY: 'http://all' })).toMatchObject({ http: 'http://all', https: 'http://all' })
    expect(proxiesIn({ ALL_PROXY: 'ftp://all', HTTP_PROXY: '' })).toEqual({ http: undefined, https: undefined, none: undefined })
  })

  it('is none of SOCKS, but that one is set is told where nothing else is used, without its password', async () => {
    const variables = { ALL_PROXY: 'socks5h://ann:hunter22@tor:9050', NO_PROXY: 'intern.example' }
    const to = (url: string, more = {}) => passageTo(url, proxiesIn({ ...variables, ...more }))
    expect(await to('https://web.example')).toEqual({ proxy: undefined, passedOver: 'tor:9050' })
    expect(await to('https://web.example', { HTTPS_PROXY: 'http://web:1' })).toEqual({ proxy: 'web:1', passedOver: undefined })
    expect(await to('https://intern.example')).toEqual({ proxy: undefined, passedOver: undefined })
    expect(await to('http://localhost:3000')).toEqual({ proxy: undefined, passedOver: undefined })
  })
})
