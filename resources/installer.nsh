; Part of the uninstaller for Windows: what the app itself put outside of its folder. Not at an update, which runs the uninstaller too.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    ; The command “assent” (main/shell/electron/path-command.ts).
    Delete "$LOCALAPPDATA\Microsoft\WindowsApps\assent.cmd"
    ; The scheme of links, and the start at login with what Task Manager says of it.
    DeleteRegKey HKCU "Software\Classes\assent"
    ; What starts the app at a click on one of its notifications (`toastActivator` in main/shell/electron/shell.ts).
    DeleteRegKey HKCU "Software\Classes\CLSID\{7A6B7C52-3B0E-4C57-9F0A-2D1E5B8C64A3}"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "${APP_ID}"
  ${endIf}
!macroend
