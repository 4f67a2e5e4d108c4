// What a person would write under `oauth` in the servers file, with what each scenario gives them.
import type { JsonObject } from '#app/json.ts'

type Given = Readonly<Record<string, unknown>>
const text = (given: Given, name: string): string => {
  const value = given[name]
  if (typeof value !== 'string') throw new Error(`The suite gives no ${name}`)
  return value
}

const made: Readonly<Record<string, (given: Given) => JsonObject>> = {
  // The one address that the suite takes for Assent's.
  'auth/basic-cimd': () => ({ clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' }),
  'auth/pre-registration': (given) => ({
    clientId: text(given, 'client_id'),
    clientSecret: text(given, 'client_secret'),
    issuer: text(given, 'issuer'),
  }),
  'auth/client-credentials-basic': (given) => ({
    grant: 'client-credentials',
    clientId: text(given, 'client_id'),
    clientSecret: text(given, 'client_secret'),
  }),
  'auth/client-credentials-jwt': (given) => ({
    grant: 'client-credentials',
    clientId: text(given, 'client_id'),
    privateKey: text(given, 'private_key_pem'),
    keyAlgorithm: text(given, 'signing_algorithm'),
  }),
  'auth/wif-jwt-bearer': (given) => ({
    grant: 'jwt-bearer',
    clientId: text(given, 'client_id'),
    subjectToken: text(given, 'valid_jwt'),
  }),
  'auth/enterprise-managed-authorization': (given) => ({
    grant: 'cross-app',
    clientId: text(given, 'client_id'),
    clientSecret: text(given, 'client_secret'),
    idpClientId: text(given, 'idp_client_id'),
    idpIssuer: text(given, 'idp_issuer'),
    idpTokenEndpoint: text(given, 'idp_token_endpoint'),
    subjectToken: text(given, 'idp_id_token'),
  }),
}

/** Undefined: nothing has to be written. */
export const oauthFor = (scenario: string, given: Given): JsonObject | undefined => made[scenario]?.(given)
