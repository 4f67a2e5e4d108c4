// Electron's fuses, flipped in the packed binary before it is signed. Every fuse has a word: with `strictlyRequireAllFuses`
// one that a newer Electron adds stops the packaging until somebody has decided on it.
import { join } from 'node:path'
import { type FuseConfig, FuseState, FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses'

export const fuses: FuseConfig = {
  version: FuseVersion.V1,
  strictlyRequireAllFuses: true,
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableCookieEncryption]: true,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // Bounds checks of WebAssembly by the processor: on, as Electron ships it.
  [FuseV1Options.WasmTrapHandlers]: true,
}

/** Which fuses of a binary are not as they should be, a sentence each. */
export function wrongFuses(wire: FuseConfig<FuseState>): string[] {
  return Object.values(FuseV1Options)
    .filter((fuse) => typeof fuse === 'number')
    .filter((fuse) => wire[fuse] !== (fuses[fuse] ? FuseState.ENABLE : FuseState.DISABLE))
    .map((fuse) => `The fuse ${FuseV1Options[fuse]} is not ${fuses[fuse] ? 'on' : 'off'}.`)
}

/** The part of electron-builder's AfterPackContext that is needed. */
export interface PackContext {
  readonly appOutDir: string
  readonly electronPlatformName: string
  readonly packager: { readonly executableName?: string; readonly appInfo: { readonly productFilename: string } }
}

export function packedBinary({ appOutDir, electronPlatformName, packager }: PackContext): string {
  if (electronPlatformName === 'darwin') return join(appOutDir, `${packager.appInfo.productFilename}.app`)
  if (electronPlatformName === 'win32') return join(appOutDir, `${packager.appInfo.productFilename}.exe`)
  return join(appOutDir, packager.executableName ?? packager.appInfo.productFilename)
}

/**
 * electron-builder calls this by its name, before it signs. Its own way to flip fuses uses an older @electron/fuses that
 * does not know all of them. On a Mac the binary's provisional signature is renewed, since the flip breaks it.
 *
 * @public
 */
export const afterPack = (context: PackContext): Promise<number> =>
  flipFuses(packedBinary(context), { ...fuses, resetAdHocDarwinSignature: context.electronPlatformName === 'darwin' })
