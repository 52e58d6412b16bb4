/** The thing behind an address, by the name that replay compares. */
export const resourceOf = (url: string): string[] => {
  if (!URL.canParse(url)) return [];
  const { origin, pathname } = new URL(url);
  return [`${origin}${pathname}`];
};
