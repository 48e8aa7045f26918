import type { Random } from "./random.ts";

/** A note of one of these sentences or a few. */
export function toNote(sentences: readonly string[], random: Random): string {
  const count = Number(random.weighted({ 1: 60, 2: 22, 3: 10, 4: 5, 5: 3 }));
  return random.shuffle(sentences).slice(0, count).join(" ");
}

/** A note to the driver, now and then as long as those of difficult sites are. */
export function toDispatcherNote(random: Random): string {
  return random.chance(0.04) ? random.pick(siteInstructions) : toNote(dispatcherSentences, random);
}

const dispatcherSentences = [
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

/** Notes of several hundred characters up to nearly all that a note may have (2048). */
const siteInstructions = [
  [
    "SITE RULES, read before you enter. Hard hat, vest and boots at all times; the safety officer sends drivers away",
    "without them, and we pay for the trip. Check in at gate 3 on the north side, not at the main gate. Give the purchase",
    "order number and the number of your truck. Maximum speed 5 mph, hazard lights on, windows down. You need a spotter",
    "whenever you back up: radio channel 4, ask for Luis or for the crane foreman.",
    "",
    "Cans stand in two rows along the east fence. Row A is concrete and brick only, row B is mixed debris. Take from the end",
    "nearest to the gate and set the empty at the far end, so that the oldest is always taken first. If a can is above the",
    "fill line do not touch it: take a photo, send it to dispatch, and wait for a call. The crew levels it off in about ten",
    "minutes when they are told.",
    "",
    "The ground in front of row B is soft after rain. If you see standing water, stay on the steel plates. A truck sank to the",
    "axle there in spring and it took two wreckers to get it out.",
    "",
    "No loading between 11:30 and 12:15, the concrete trucks have the road then. No idling longer than five minutes, the city",
    "inspector lives across the street. Sweep up what falls off. The scale ticket goes into the box at the gate house on",
    "your way out, the copy to us.",
    "",
    "Telephone of the gate house (202) 555-0190, superintendent (202) 555-0191, after hours call dispatch.",
  ].join("\n"),
  [
    "Hospital, active emergency entrance. Come between 5:30 and 6:45 only, never block the ambulance lane, not even for a",
    "minute. Security opens the bollards at dock C after you call them from the street, the number is on the sign. The old",
    "container is locked; the key hangs in the dock office, sign the list for it. Wheels must be chocked and boards put",
    "under the rollers, the dock has a new coating and the last scratch cost us 900 dollars. Tarp before you move, not at",
    "the exit. If anything in the load looks like medical waste, red bags above all, stop, leave the container, and call",
    "dispatch from the truck.",
  ].join("\n"),
  [
    "Third attempt at this address, please read what happened before. First time a moving van stood in the driveway, second",
    "time the low branch of the oak caught the rails. The owner has had the tree cut and promises that the driveway is free",
    "from 7 on. Come from the south, the cul-de-sac is too tight to turn with a 30-yard can on. Set it left of the",
    "basketball hoop, on the plywood that is laid out there, with the doors facing the house. The neighbor at no. 9 films",
    "everything: stay off his grass, and be friendly. If it does not work this time either, do not argue, take a photo and",
    "call, we will bring two smaller ones tomorrow.",
  ].join("\n"),
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
  "Somebody keeps parking in front of it. We will put out cones.",
  "Proszę dzwonić dopiero po 8:00, wcześniej nikogo nie ma na budowie.",
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
