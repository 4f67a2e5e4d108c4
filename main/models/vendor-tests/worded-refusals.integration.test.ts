// Refusals in further words and waits in further forms, each with its source. Expected of each, by the vendors' documents alone: the sentence
// that fits, the vendor's own words, what it names of the context, and the wait that it asks for.
import { describe, test } from 'vitest'
import { check, fine, json, named, type VendorAnswer } from './lab.testing.ts'

describe('refusals and waits', () => {
  const limited = (message: string, headers: Readonly<Record<string, string>> = {}): VendorAnswer => ({
    ...json(429, { error: { message, type: 'tokens', code: 'rate_limit_exceeded' } }),
    headers,
  })
  const page =
    '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Enable JavaScript and cookies to continue</body></html>'
  test.each(
    named([
      [
        'Cloudflare, too long, cloudflare/cloudflare-docs#29731',
        json(400, {
          errors: [
            {
              message:
                "AiError: This model's maximum context length is 131072 tokens. However, you requested 16000 output tokens and your prompt contains at least 115073 input tokens, for a total of at least 131073 tokens.",
              code: 8007,
            },
          ],
          success: false,
          result: {},
          messages: [],
        }),
        { code: 'model.too-long', contextTokens: 131_072, quote: 'maximum context length' },
      ],
      [
        'watsonx, too long, lancedb/lancedb#1535',
        json(400, {
          errors: [
            {
              code: 'invalid_input_argument',
              message:
                "Invalid input argument for Model 'ibm/granite': Token sequence length is longer than the specified maximum sequence length for this model (1336 > 512).",
              more_info: 'https://cloud.ibm.com/apidocs/watsonx-ai',
            },
          ],
          trace: '85527f',
          status_code: 400,
        }),
        { code: 'model.too-long', quote: 'Token sequence length is longer' },
      ],
      [
        'GitHub’s Copilot, too long, microsoft/copilot-intellij-feedback#94',
        json(400, {
          error: { message: 'prompt token count of 138898 exceeds the limit of 64000', code: 'model_max_prompt_tokens_exceeded' },
        }),
        { code: 'model.too-long', contextTokens: 64_000 },
      ],
      [
        'GitHub’s models, too long, tashfeenahmed/freellmapi#426',
        json(413, {
          error: {
            code: 'tokens_limit_reached',
            message: 'Request body too large for gpt-4.1 model. Max size: 8000 tokens.',
            details: 'Request body too large for gpt-4.1 model. Max size: 8000 tokens.',
          },
        }),
        { code: 'model.too-long', contextTokens: 8000 },
      ],
      [
        'a gateway without credit, Wei-Shaw/sub2api#890',
        json(403, { code: 'INSUFFICIENT_BALANCE', message: 'Insufficient account balance' }),
        { code: 'model.no-credit', quote: 'Insufficient account balance' },
      ],
      [
        'a gateway’s own form, CommandCodeAI/command-code#785',
        json(500, {
          success: false,
          error: {
            code: 'INTERNAL_SERVER_ERROR',
            status: 500,
            message: 'An unexpected error occurred. Please try again later.',
            docs: 'https://example.com',
          },
        }),
        { code: 'model.server-error', quote: 'An unexpected error occurred.' },
      ],
      [
        'Groq, its wait in the message alone, Aider-AI/aider#3265',
        limited(
          'Rate limit reached for model `gemma2-9b-it` on tokens per minute (TPM): Limit 15000, Used 11972, Requested 4351. Please try again in 5.289s.',
        ),
        { code: 'model.rate-limited', waits: [5289, 5289] },
      ],
      [
        'Azure, its wait in the message, icereed/paperless-gpt#814',
        limited('Your requests have exceeded the token rate limit of your current pricing tier. Please retry after 45 seconds.'),
        { code: 'model.rate-limited', waits: [45_000, 45_000] },
      ],
      [
        'Azure, its wait in a header of its own, openai/openai-python#937',
        limited('Too many requests.', { 'x-rate-limit-reset-tokens': '55' }),
        { code: 'model.rate-limited', waits: [55_000, 55_000] },
      ],
      [
        'a long wait, danielmiessler/Fabric#364',
        limited('Rate limit reached. Please try again in 6m12.5s.'),
        { code: 'model.rate-limited', waits: [] },
      ],
      [
        'a page of a gateway in place of a refusal (Cloudflare, 403)',
        { status: 403, headers: { 'content-type': 'text/html; charset=UTF-8', server: 'cloudflare' }, body: page },
        { code: 'model.endpoint-wrong', quote: undefined },
      ],
      [
        'a page of a gateway that waited too long (Cloudflare, 524)',
        { status: 524, headers: { 'content-type': 'text/html' }, body: page },
        { code: 'model.server-error', quote: undefined },
      ],
    ]),
  )('%s', (_, row) => check('openai', row))

  test('an answer in its usual form is read in each format', async () => {
    for (const format of ['openai', 'openai-responses', 'anthropic', 'gemini'] as const)
      await check(format, ['', fine[format], { text: 'Fine.', reason: 'end', code: undefined }])
  })
})
