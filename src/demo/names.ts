import type { Random } from "./random.ts";

export interface Person {
  first: string;
  last: string;
}

/** Gives out names of people and businesses, none twice. */
export interface NameBook {
  business(): string;
  person(): Person;
}

/** Opens a book; the names of `businessesAnywhere` are all among the first hundred of businesses. */
export function createNameBook(random: Random): NameBook {
  const made = random.shuffle(families.flatMap((family) => trades.map((trade) => `${family} ${trade}`)));
  const early = 100 - businessesAnywhere.length;
  const mixed = random.shuffle([...made.slice(0, early), ...businessesAnywhere]);
  const businesses = [...mixed, ...made.slice(early)].values();
  const people = random
    .shuffle(firstNames.flatMap((first) => lastNames.map((last) => ({ first, last }))))
    .values();
  return { business: () => next(businesses), person: () => next(people) };
}

function next<T>(names: Iterator<T>): T {
  const { done, value } = names.next();
  if (done) throw new Error("The demo has no names left.");
  return value;
}

/** Names as they come in real life: scripts and accents that every screen, print and search has to bear. */
const businessesAnywhere = [
  "Ångström Labs",
  "Čapek Builders",
  "Café Não Só Pão",
  "Château d’Eau Pools",
  "Łukasz Bączek Roofing",
  "Müller & Söhne Interiors",
  "Nguyễn Family Market",
  "O’Brien–Keane Plumbing & Heating",
  "Peña e Hijos Concrete",
  "Þórsson Timber Frames",
  "Γεωργίου & Co",
  "Дом и Сад Landscaping",
  "山田建設",
];

const families = words(`
  Abernathy Alvarez Ashford Bannister Beckett Birchwood Bluestone Boone Brightwater Calloway Carver Cedarcrest Chapman
  Copperfield Cranston Delgado Dominion Eastgate Ellison Fairmount Falcon Fenwick Gallagher Granite Greenway Harlan
  Hawthorne Highland Ironwood Jefferson Keystone Kingsley Lakeshore Langston Liberty Magnolia Meridian Montrose
  Northstar Oakmont Osborne Patterson Pinecrest Quarry Redfern Ridgeline Riverbend Sandoval Silverline Stonebridge
  Summit Thornton Tidewater Underwood Valley Vanguard Wakefield Westbrook Whitaker Yorktown`);

const trades = [
  "Apartments",
  "Auto Body",
  "Builders",
  "Concrete & Paving",
  "Construction",
  "Demolition",
  "Development Group",
  "Electric",
  "Events",
  "Excavating",
  "Flooring",
  "Furniture Warehouse",
  "General Contractors",
  "Golf Club",
  "Grocers",
  "Home Improvement",
  "Homes LLC",
  "Hotel",
  "Interiors",
  "Kitchen & Bath",
  "Landscaping",
  "Manufacturing",
  "Masonry",
  "Medical Center",
  "Property Management",
  "Remodeling",
  "Restoration",
  "Roofing",
  "School District",
  "Self Storage",
  "Siding & Windows",
  "Steel Supply",
  "Tree Service",
];

const firstNames = words(`
  Aaliyah Aaron Abigail Alejandro Amara Andre Angela Anita Benjamin Beatriz Bridget Caleb Camila Carlos Charlotte Chen
  Daniel Darnell Deborah Diego Dominic Edith Elena Elijah Emmanuel Esther Fatima Felix Frances Gabriel Gloria Grace
  Hannah Harold Hassan Hector Imani Ingrid Isaac Ivan Jamal Janet Jerome Joanna Joel Kareem Kathleen Kenji Keisha
  Lamar Leah Leonard Lucia Malik Marcus Margaret Marisol Mateo Mei Miriam Nadia Nathaniel Naomi Noah Oscar Patrice
  Priya Quentin Rafael Rebecca Rosa Russell Samir Sandra Sofia Terrence Thomas Valeria Vincent Walter Wendy Yusuf`);

const lastNames = words(`
  Adams Bailey Barnes Bauer Bell Bennett Brooks Butler Campbell Castillo Chavez Coleman Cooper Cox Cruz Diaz Edwards
  Evans Fisher Flores Foster Garcia Gomez Graham Gray Griffin Gutierrez Hamilton Harris Hayes Henderson Hernandez
  Howard Hughes Jackson Jenkins Johnson Jordan Kelly Kim Lewis Lopez Martinez McDonald Mitchell Morales Murphy Nelson
  Nguyen Ortiz Owens Park Patel Perez Perry Powell Ramirez Reed Reyes Rivera Robinson Rogers Ross Ruiz Russell Sanders
  Santiago Simmons Singh Stewart Sullivan Taylor Thompson Torres Tran Turner Walker Ward Washington Watson Wood Wright
  Young Zimmerman`);

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
