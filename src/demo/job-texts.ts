import type { Random } from "./random.ts";

/** Notes have room for this many characters. */
const noteCharactersMax = 2048;

/** A note of a few of these sentences, now and then a long one that fills most of the field. */
export function toNote(sentences: readonly string[], random: Random): string {
  const size = random.weighted({ short: 62, medium: 28, long: 8, full: 2 });
  const count = { short: 1, medium: random.between(2, 3), long: random.between(6, 14), full: 60 }[size];
  let note = random.pick(sentences);
  for (let added = 1; added < count; added++) {
    const longer = `${note}${added % 4 === 0 ? "\n" : " "}${random.pick(sentences)}`;
    if (longer.length > noteCharactersMax) return note;
    note = longer;
  }
  return note;
}

/** What dispatchers tell drivers. */
export const dispatcherSentences = [
  "Place on the right side of the driveway, doors facing the street.",
  "Gate code 4471#.",
  "Call 30 minutes ahead.",
  "Use the service entrance behind the building; the front lane is closed for paving.",
  "Low wires at the entrance, do not raise the rails before the second pole.",
  "Put boards under the rails, the asphalt is new.",
  "Site superintendent is on site from 6:30, ask for him at the trailer.",
  "Customer wants the can as close to the garage as possible without blocking the sidewalk.",
  "Truck route only: the bridge on the county road is posted at 12 tons.",
  "Back in from the alley. A flagger is needed between 7 and 9 in the morning.",
  "Swap must happen before noon, a roofing crew of eight waits for the empty.",
  "Clean wood only. If there is plaster or drywall on top, take a photo and call.",
  "Permit is posted on the meter. Keep 15 feet from the hydrant.",
  "Do not enter while the school bus is loading, 7:40 to 8:10 and 14:30 to 15:00.",
  "Owner speaks Spanish: “llame al llegar, el portón queda cerrado”.",
  "Tenant asked for no backing alarm before 7; not possible, told them so.",
  "Second can stands behind the first, take the full one.",
  "Weight was 2.4 tons over last time. Check the fill line before you load.",
  "Bring extra tarps and two straps, open top with light insulation.",
  "If nobody answers, leave the unit on the gravel pad by the sign and send a photo.",
];

/** What customers tell dispatchers. */
export const customerSentences = [
  "Please come early, the street fills up after 8.",
  "We will have someone on site all day.",
  "The neighbor’s car may be in the way. Ring at no. 14, he moves it.",
  "Can you leave the container until Monday?",
  "The dog is friendly, but please close the gate.",
  "Door must face the house so that we can roll the fridge in.",
  "Need a receipt with our purchase order number on it.",
  "Same place as last time.",
  "Is it possible to take two old tires as well? We pay the extra charge.",
  "The toilets stand at the back fence, three of them by the stage.",
  "Proszę dzwonić dopiero po 8:00.",
  "We are renovating two floors, there will be a pickup every week until the end of the month.",
];

/** What drivers report. */
export const driverSentences = [
  "Done, no issues.",
  "Gate was locked, waited 20 minutes.",
  "Overfilled, had the crew take some off the top before tarping.",
  "Placed next to the old can, no room on the pad.",
  "Small scrape on the curb was there before, photo taken.",
  "Scale line was 40 minutes.",
  "Rail pin is loose on this one, needs the shop.",
  "Customer signed on paper.",
  "Moved it ten feet at the customer’s wish.",
  "Mattress and two tires inside, told dispatch.",
];

/** What goes on the bill. */
export const invoiceSentences = [
  "Waiting time 30 minutes.",
  "Overweight charge for 1.2 tons.",
  "Trip charge waived, our mistake.",
  "Bill to the head office, not to the site.",
  "Extra rental from day 8.",
  "Discount of 10% agreed with sales for the season.",
];

/** What is known of a customer, kept for years. */
export const accountSentences = [
  "Net 30, pays on time.",
  "Prefers e-mail over telephone.",
  "Card on file.",
  "Certificate of insurance on file until the end of the year.",
  "Always ask for the purchase order number before you book.",
  "Two sites, one bill. The bill goes to accounting, never to the site.",
  "Was with a competitor until last spring over a late swap; treat with care.",
  "Tax exempt, the form is in the folder.",
  "Seasonal: quiet from December to February.",
  "Wants the same driver every time where we can.",
];

/** Why drivers give up; each fits fail_reason. */
export const failReasons = [
  "Blocked by parked cars",
  "Gate locked, nobody on site",
  "Overloaded, above the fill line",
  "Wrong material in the container",
  "Customer sent the driver away",
  "Ground too soft for the truck",
  "Low wires, cannot raise the rails",
  "Street closed by the police",
];

/** Short marks of a job; each fits flags. */
export const jobFlags = [
  "Call ahead",
  "Gate code",
  "Tight alley",
  "New driver",
  "Photo please",
  "Cash on site",
];

/** How customers describe what they want when no asset is named yet. */
export const assetWishes = [
  "closed top if there is one",
  "low sides, we load by hand",
  "with a tarp",
  "the cleanest you have, it stands in front of a shop",
  "with a wheelchair ramp",
  "any color but red",
];
