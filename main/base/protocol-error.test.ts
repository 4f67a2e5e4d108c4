import {
  ProtocolErrorCode,
  ResourceNotFoundError,
  SdkError,
  SdkErrorCode,
  ProtocolError as SdkProtocolError,
  UnsupportedProtocolVersionError,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { HostError } from '#app/errors.ts'
import { isProtocolError, protocolError, protocolErrorCodes } from './protocol-error.ts'

describe('errors of the protocol', () => {
  test.each([
    protocolError(-32602, 'No'),
    new SdkProtocolError(-32602, 'No'),
    new ResourceNotFoundError('file:///gone'),
    new UrlElicitationRequiredError([]),
    new UnsupportedProtocolVersionError({ supported: ['2025-06-18'], requested: '2026-07-28' }),
  ])('are known, whoever made them: %s', (error) => {
    expect(isProtocolError(error)).toBe(true)
  })

  test.each([
    new SdkError(SdkErrorCode.ConnectionClosed, 'closed'),
    new HostError('server.exited', 'gone'),
    Object.assign(new Error('x'), { code: -32602 }),
    { name: 'ProtocolError', code: -32602, message: 'x' },
  ])('are told from others: %s', (error) => {
    expect(isProtocolError(error)).toBe(false)
  })

  test('have the numbers that the SDK gives them', () => {
    expect(protocolErrorCodes).toEqual({
      methodNotFound: ProtocolErrorCode.MethodNotFound,
      invalidParams: ProtocolErrorCode.InvalidParams,
      internalError: ProtocolErrorCode.InternalError,
      urlElicitationRequired: ProtocolErrorCode.UrlElicitationRequired,
    })
  })
})
