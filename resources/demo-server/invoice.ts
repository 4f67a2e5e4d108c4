// One invoice: its shape, and how it is read from and written to a file's text.
import { z } from 'zod'

export const invoice = z.object({
  file: z.string(),
  number: z.string().regex(/^[0-9A-Za-z-]{1,20}$/),
  vendor: z.string().min(1).max(100),
  date: z.iso.date(),
  amount: z.number(),
  /** ISO 4217 */
  currency: z.string().regex(/^[A-Z]{3}$/),
})
export type Invoice = z.infer<typeof invoice>

const field = (text: string, name: string): string | undefined => new RegExp(`^${name}:[ \\t]*(.+?)[ \\t]*$`, 'im').exec(text)?.[1]

/** Undefined: the text is not an invoice. */
export function parseInvoice(file: string, text: string): Invoice | undefined {
  const [amount = '', currency] = (field(text, 'Amount') ?? '').split(/\s+/)
  const fields = file.endsWith('.json')
    ? { ...parseObject(text), file }
    : {
        file,
        number: field(text, 'Invoice'),
        vendor: field(text, 'Vendor'),
        date: field(text, 'Date'),
        amount: amount === '' ? undefined : Number(amount),
        currency,
      }
  return invoice.safeParse(fields).data
}

export function formatInvoice({ file, number, vendor, date, amount, currency }: Invoice): string {
  if (file.endsWith('.json')) return `${JSON.stringify({ number, vendor, date, amount, currency }, null, 2)}\n`
  return `Invoice: ${number}\nVendor: ${vendor}\nDate: ${date}\nAmount: ${amount.toFixed(2)} ${currency}\n\nTo be paid within 30 days.\n`
}

/** `€ 412.00`, or the code where there is no common sign. */
export const formatAmount = (amount: number, currency: string): string => `${currency === 'EUR' ? '€' : currency} ${amount.toFixed(2)}`

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {} // not JSON, so not an invoice: the schema says so
  }
}
