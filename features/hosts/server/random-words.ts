import { randomBytes, randomInt } from 'node:crypto'
import { must } from '#foundation/must.ts'

/** A name that can be spelt on the telephone, for a host made without a name: `brave-otter-42` (row V-04). */
export const randomName = (): string => `${pick(adjectives)}-${pick(animals)}-${randomInt(10, 100)}`

/** Five groups of five letters and digits, of 125 random bits; without I, L, O and U, which are misread or make words. */
export function randomLicenceKey(): string {
  const letters = [...randomBytes(25)].map((byte) => alphabet[byte % alphabet.length])
  return [0, 5, 10, 15, 20].map((start) => letters.slice(start, start + 5).join('')).join('-')
}

// The number of characters, 32, divides 256, so that a random byte yields each character with the same probability.
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const pick = (words: readonly string[]): string => must(words[randomInt(words.length)])

const adjectives = (
  'able agile amber apt arctic autumn awake balmy bold brave breezy bright brisk calm candid careful casual cheery ' +
  'chief civil clean clear clever cosmic cosy crisp curious daring deft eager early earnest easy fair faithful fast ' +
  'fine fleet fond frank free fresh friendly gentle giant glad golden good grand green handy happy hardy honest humble ' +
  'jolly keen kind large late lively loyal lucid lucky magic mellow merry mighty mild modest neat nimble noble patient ' +
  'plain polar polite proud prime quick quiet rapid ready robust royal rustic sage silent silver sincere smart smooth ' +
  'snowy solar solid steady still strong sunny sure swift tidy tranquil true upbeat vivid warm wise witty young'
).split(' ')

const animals = (
  'albatross alpaca antelope badger bat bear beaver bee bison bittern buffalo camel caribou cat cheetah cobra condor ' +
  'coyote crab crane cricket crow curlew deer dingo dolphin dove dragonfly duck eagle egret elk ermine falcon ferret ' +
  'finch firefly fox gazelle gecko gibbon giraffe goose grouse gull hare hawk hedgehog heron hornet horse ibex ibis ' +
  'iguana jackal jaguar jay kestrel kiwi koala lark lemming lemur leopard lion lizard llama lobster lynx magpie manatee ' +
  'marmot marten mink mole moose moth mule newt ocelot octopus oriole osprey otter owl panda panther parrot pelican ' +
  'penguin pheasant pigeon plover puffin puma quail rabbit raccoon ram raven robin salmon seal shark sheep shrew ' +
  'sparrow squid squirrel starling stork swallow swan swift tapir tern tiger toad toucan trout turtle vole walrus ' +
  'weasel whale wolf wombat wren yak zebra'
).split(' ')
