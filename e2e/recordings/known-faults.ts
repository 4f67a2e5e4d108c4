const severalMessages = 'the expected result spans several messages, which the file holds one after another; the first alone is read'
const otherField = 'the follow-up carries no reasoning_content on its calls; not yet judged whether the vendor takes what it carries'

/** Recordings whose result is not the expected one, and how. One that agrees fails its test until its line goes. */
export const knownFaults: Readonly<Record<string, string>> = {
  'anthropic-03': severalMessages,
  'anthropic-04': severalMessages,
  'anthropic-05': 'a second message_start in the middle of a call ends in an error, and the call that came whole is lost',
  'avian-01': otherField,
  'avian-04': otherField,
  'avian-06': otherField,
  'azure-11': severalMessages,
  'azure-09': 'the expected input is negative, for more was cached than sent; the result (7) is the better one',
  'bedrock-04': 'the expected input counts what was written to the cache; the result counts it apart, which is the better one',
  'deepseek-05': otherField,
  'deepseek-06': otherField,
  'openai-10': severalMessages,
  'openrouter-08': otherField,
  'openrouter-09': otherField,
  'writer-02': 'several choices were recorded, which is never asked for; the text differs, why is not known',
}
