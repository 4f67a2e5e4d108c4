/** Host of a web address, or the text itself where it is no address. */
export const addressHost = (address: string): string => (URL.canParse(address) ? new URL(address).host : address)
