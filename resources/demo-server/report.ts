// Sums over invoices: pure, and in cents, so that nothing is lost to floating point.
import type { Invoice } from './invoice.ts'

interface Total {
  readonly count: number
  readonly total: number
  readonly currency: string
}

/** Undefined: there are several currencies, so there is no one sum. */
export function totalOf(invoices: readonly Invoice[]): Total | undefined {
  const currencies = new Set(invoices.map((invoice) => invoice.currency))
  if (currencies.size > 1) return undefined
  const [currency = 'EUR'] = currencies
  return { count: invoices.length, total: sum(invoices), currency }
}

export interface VendorTotal {
  readonly vendor: string
  readonly count: number
  readonly total: number
}

/** Largest first. */
export function totalsByVendor(invoices: readonly Invoice[]): VendorTotal[] {
  const groups = Map.groupBy(invoices, (invoice) => invoice.vendor)
  return [...groups]
    .map(([vendor, group]) => ({ vendor, count: group.length, total: sum(group) }))
    .sort((a, b) => b.total - a.total || (a.vendor < b.vendor ? -1 : 1))
}

const sum = (invoices: readonly Invoice[]): number => invoices.reduce((cents, invoice) => cents + Math.round(invoice.amount * 100), 0) / 100
