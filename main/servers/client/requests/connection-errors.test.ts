import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { HostError } from '#app/errors.ts'
import { failedResponse } from '#main/servers/transport/stdio/message-envelope.ts'
import { toFailure, toStartFailure } from './connection-errors.ts'

const own = new HostError('server.too-large', 'Too large.')
const http = (status: number) => new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'no', { status })
const wrapped = new SdkError(SdkErrorCode.EraNegotiationFailed, 'probe failed', { cause: own }, { cause: own })
const { error: carried } = failedResponse(1, own)

describe('failures', () => {
  it.each([
    [own, 'server.too-large', 'server.too-large'],
    [wrapped, 'server.too-large', 'server.too-large'],
    [new ProtocolError(carried.code, carried.message, carried.data), 'server.too-large', 'server.too-large'],
    [http(401), 'server.sign-in-needed', 'server.sign-in-needed'],
    [http(500), 'server.http-status', 'server.http-status'],
    [new UnauthorizedError(), 'server.sign-in-needed', 'server.sign-in-needed'],
    [new SdkError(SdkErrorCode.RequestTimeout, 'late'), 'server.connection-lost', 'server.start-timeout'],
    [new SdkError(SdkErrorCode.ConnectionClosed, 'closed'), 'server.connection-lost', 'server.connection-lost'],
    [new SdkError(SdkErrorCode.InvalidResult, 'odd'), 'server.protocol', 'server.not-mcp'],
    [new SdkError(SdkErrorCode.EraNegotiationFailed, 'odd'), 'server.protocol', 'server.not-mcp'],
    [new TypeError('odd'), 'server.protocol', 'server.protocol'],
  ])('%s becomes %s on a connection, %s at the start', (error, running, starting) => {
    expect([toFailure('a', error).code, toStartFailure('a', error).code]).toEqual([running, starting])
  })

  it('keep a protocol error that came over the wire', () => {
    const error = new ProtocolError(-32602, 'Bad arguments')
    expect(toFailure('a', error)).toBe(error)
    expect(toStartFailure('a', error)).toMatchObject({ code: 'server.not-mcp', data: { code: -32602 } })
  })

  it('do not take a server at its word that an error is the host’s', () => {
    const forged = new ProtocolError(-32603, 'x', { mark: 'guess', error: { code: 'server.refused', message: 'x' } })
    expect(toFailure('a', forged)).toBe(forged)
  })
})
