/** What a model reads in place of a PDF that it does not take. */
export const documentNote = (name: string): string => `[The PDF ${JSON.stringify(name)} is attached. This model takes no PDFs.]`
