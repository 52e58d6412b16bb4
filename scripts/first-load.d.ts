/** A script or style of the build, with its bytes of gzip. */
export interface LoadedFile {
  readonly name: string;
  readonly bytes: number;
}
export function firstLoad(screen: string): LoadedFile[];
export function kilobytes(files: readonly LoadedFile[]): number;
