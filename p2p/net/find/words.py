"""The words of table codes: 2048 plain English words of 3 to 8 letters, so 11 bits each."""

_TEXT = """
abbey able acid acorn acrobat actor adapt admit adobe adult agate agent agile aging agree ahead
aim air airport aisle alarm album alder alert algae alibi alien alike alive alley allow alloy
almanac almond aloft alone alpha alpine altar amber amend ample amuse anchor angle ankle annex
answer anthem antique antler anvil apple apply apricot april apron aqua arbor arcade arch arctic
arena argon argue arise armor aroma arrow artisan artist ascend ash aspen asset aster atlas atom
attic audio august aunt autumn avenue avocado avoid awake award aware awning axis axle azalea
azure bacon badge badger bagel baker bakery balance balcony ballad balloon bamboo banana band
banjo bank banner barber bark barley barn baron barrel basalt basic basil basin basket batch bath
baton battery bay beach beacon bead beagle beam bean bear beast beaver bed beech beehive beetle
begin bell belt bench berry beyond bicycle bike bingo birch bird biscuit bishop bison blade
blanket blaze blend blimp blink block bloom blossom blouse blue bluebird bluff board boat bobcat
bobsled body bold bolt bonfire bonus book boost boot border borrow bottle bottom boulder bounce
bow bowl box boxcar brain bramble branch brass brave bread breeze brick bridge brief brigade
bright brim bring brisk broad bronco bronze brook broom brother brown brush bubble bucket buckle
budget buffalo buggy bugle build bulb bundle bunny burrow bus bushel busy butter button buzz
cabbage cabin cable cactus cake calf calm camel camera camp canal canary candle candy canoe canopy
canvas canyon cape captain caravan carbon card cargo carol carpet carrot cart carve cascade cashew
casino castle casual catch cattle cause cave cedar celery cello cement census center cereal chain
chair chalk chamber change channel chapel chapter charm chart cheek cheese chef cherry chess chest
chicken chief chime chimney chin chip choir chorus chrome cider cinema circle citrus city civic
clam clap clarinet clay clean clerk clever cliff climb clinic clock cloth cloud clover club coach
coast coat cobalt cobra cocoa coconut coffee coil coin collar colony color comb comet comic common
compass concert condor cone copper coral cord core cork corn corner cosmic cost cotton couch
cougar count county couple course court cousin cover cow coyote crab craft crane crater crayon
cream creek crest crew cricket crisp crocus crop cross crow crowd crown cruise crumb crust crystal
cube cuckoo cup curious curl current curry curtain curve cushion custom cycle cymbal cypress daily
dairy daisy dance dapper daring dash data date dawn day deal debate decade decent deck deep deer
define degree delta denim dentist depend depot depth derby desert design desk dessert detail
device dew dial diamond diary diesel diet digit dill dime dinner diploma direct disc dish dive
doctor dollar dolphin domain donkey door double dough dove dragon drama draw dream dress drift
drill drink drive drum dry duck duel duet dune during dust duty dwarf eager eagle early earn earth
ease east easy echo eclipse edge edit eel effort egg eight either elastic elbow elder elect
elegant element elk elm ember emerald emit empire empty enamel encore endless energy engine enjoy
enough ensure enter entire entry envelope envoy epic equal equip era errand escort essay estate
ether even evening event ever evolve exact exam excess exhibit exit exotic expand expert explore
express extra eye fable fabric face fact fade fair falcon fall family famous fancy farm farmer
fashion fast father fauna favor feast feather federal fence fern ferry festival fetch fiber
fiction fiddle field fig figure film final finch find finger finish fir fire first fish five fix
flag flame flannel flash flask flavor flax fleet flight flint float flock floor flora flour flow
flower fluid flute fly foam focus fog foil folder folk follow food forest fork form fort fortune
forum fossil found fountain four fox frame free freight fresh friday friend fringe frog front
frost fruit fuel full funnel fur future gadget gain galaxy gallery gallon gallop game garage
garden garlic garment gas gate gather gauge gazelle gear gecko gem genius gentle genuine geyser
giant gift ginger giraffe give glacier glad glass gleam glide globe glory glove glow glue goal
goat gold golf gondola good goose gopher gorge gospel gourd grace grade grain grand granite grape
graph grass gravel gravity gravy gray great green greet grid grill grin grip grocer group grove
grow guard guess guest guide guitar gulf gull gust gym gypsum habit hail hair half hall halo
hamlet hammer hammock hamster hand handle hangar happy harbor hard hare harp harvest hat hatch
haven hawk hay hazel head health heap heart heat heather hedge heel height helium helmet help
hemlock herald herb herd hero heron hickory high hike hill hinge hip history hobby hockey hold
hollow holly home honey hood hoof hook hoop hope horizon horn hornet horse hose hotel hour house
hover human humble humor hundred hurdle husky hydro hymn ice icon idea idle igloo image impact
import inch income index indigo indoor infant inform ink inlet inn input insect inside invent
invite iris iron island issue item ivory ivy jacket jackpot jade jaguar jam january jar jasmine
jasper jaw jay jazz jeans jelly jersey jewel jigsaw jingle jockey join joke jolly journal journey
joy judge juggle juice july jumbo jump junction june jungle junior juniper jury just kayak keel
keen keep kelp kennel kernel kettle key keyboard kick kidney kilo kimono kind king kiosk kitchen
kite kitten kiwi knack knee knight knit knob knot know koala label lace ladder lady lagoon lake
lamb lamp lance land lane language lantern lapel large lark laser lasso latch later laugh launch
laundry laurel lava lavender lawn lawyer layer lead leaf league lean learn leather lecture ledge
left legend lemon lend length lens lentil leopard lesson letter level lever liberty library
license lid life lift light lilac lily limb lime limit linden line linen lion lips liquid list
listen liter little live lizard llama loaf lobby lobster local locker locket locust lodge loft
logic long loom loop lotus loud lounge loyal lucky luggage lumber lunar lunch lung lute luxury
lyric machine magenta magic magnet magpie mail main major make mallet mammal mammoth manage mango
manor mantle manual map maple marble march margin marina mark market marlin marsh mask mason
master match material math matter mattress maximum may maze meadow meal measure medal media medley
meet mellow melody melon member memo memory mentor menu mercury merit merry mesa message metal
meteor meter method metro middle midnight mild mile milk mill mimic mind mineral mini minnow mint
minute mirror mist mitten mix mixer mobile model modem modern modest module molar moment monday
money monitor monkey month mood moon moose moral morning mosaic moss moth mother motion motor
mount mouse mouth move movie much mud muffin mule muscle museum music mustang mustard myrtle
mystery myth nail name napkin narrow nation native nature navy near neat neck nectar needle
neighbor neon nephew nest net network neutral never new newt next nice nickel niece night nimble
nine noble nod noise nomad noodle noon north nose note notebook notice nougat novel now nozzle
number nurse nut nutmeg nylon oak oar oasis oatmeal object oboe observe obtain ocean ochre octave
october octopus odd offer office often oil olive omega omelet once one onion online only onyx opal
open opera opinion optic option oracle orange orbit orchard orchid order organ origin oriole
osprey ostrich other otter ounce outdoor outer oval oven over owl owner oxen oxygen oyster ozone
pace pack paddle page pail paint pair palace pale palm panda panel pansy panther pantry papaya
paper parade parcel park parrot parsley part party pass pasta pastel pastry patch path patient
patrol pattern pause pave paw peace peach peacock peak peanut pear pearl pebble pecan pedal peel
pelican pen pencil penguin penny people pepper perch perfect period permit person petal phase
phone photo phrase piano pickle picnic picture piece pier pigeon pillar pillow pilot pine pink
pint pioneer pipe pirate pitch pivot pixel pizza place plain plan planet plank plant plastic plate
play plaza pleat plenty plow pluck plum plural pocket podium poem poet point polar pole polish
polite polka pollen polo pond pony pool poplar poppy popular porch portal possum post potato
potter pouch pound powder power practice prairie praise present press pretty price pride prime
print prism prize process produce profit program project promise proof proper proud provide public
pudding puffin pulley pulp pulse puma pump pumpkin punch pupil puppet puppy purple purse push
puzzle pyramid python quail quality quarry quart quarter quartz queen quest quick quiet quill
quilt quince quiver quiz quota quote rabbit raccoon race rack radar radio radish raft rail rain
raise raisin rake rally ranch random range rapid rare raven ravine razor reach ready real reason
rebel recall recess recipe record red reed reef reflex reform region regular reindeer relax relay
relief rely remark remedy remind remote rent repair repeat reply report reptile rescue resin
resort respect rest result retail return reveal review reward rhyme rhythm ribbon rice rich riddle
ride ridge right ring ripple rise river road roast robe robin robot rock rocket rodeo roller
romance roof room root rope rose rotate rotor rough round route rover row royal rubber ruby rudder
rug ruler rumble runner rural rush rust rye sable saddle saffron sage sail salad salmon salon
salsa salt salute sample sand sandal sapling sapphire satin saturn sauce sauna savor sawdust scale
scarf scene scent school science scone scoop scooter score scout screen screw scribe script scroll
sculpt seal search season seat second secret section seed seek seldom select senior sense sequel
series servant settle seven shade shadow shale shape share sharp shawl sheep sheet shelf shell
shelter sheriff shield shift shine ship shirt shoe shop shore short shovel show shower shrimp
shrub shuffle shuttle shy side siege sierra signal silent silk silver similar simple singer siren
sister site six size skate sketch ski skill skirt sky slalom slate sleek sleep sleeve sleigh slice
slide slim slope slow small smart smile smoke smooth snack snail snow soap soccer social sock soda
sofa soft soil solar solid solo solve sonar song sonic soon sorbet sort sound soup source south
space spade spaniel spare spark sparrow speak special speed spell spend sphere spice spider spike
spin spinach spiral spirit splash sponge spoon sport spot spray spring sprout spruce square squash
squid stable stadium staff stage stair stamp stand star start state station statue steady steam
steel stem step stereo stew stick still stitch stock stone stool store storm story stove stream
street string stripe strong studio study style subway sudden sugar suit summer summit sunday
sundial sunny sunset super supper supply surf surprise survey swallow swamp swan sweater sweet
swift swim swing switch symbol syrup system table tablet tackle tail tailor talent talk tall
tandem tango tank tape target tart task taste taxi tea teach team teapot temple ten tender tennis
tent term terrace test text thank theater theme theory thimble thing third thistle thorn three
thrift throne thrush thumb thunder thyme ticket tide tidy tiger tile timber time tiny tissue title
toad toast today toe toffee token tomato tomorrow tone tongs tool tooth topaz topic torch tornado
tortoise total toucan touch tour towel tower town toy track tractor trade traffic trail train
transit travel tray treat tree trek trend triangle tribe trick trio trolley trombone trophy tropic
trout truck true trumpet trunk trust truth try tuba tube tuesday tugboat tulip tumble tuna tundra
tunnel turbine turkey turn turnip turtle tutor tweed twelve twenty twig twin twist two type
typical ultra umbrella unicorn uniform union unique unit universe until upbeat update upper
upright urban useful usher usual vacuum valid valley value valve van vanilla vapor various vase
vast vault vector vehicle velvet vendor venture venue verb verse vessel vest vibrant video view
villa village vine vinegar vintage vinyl viola violet violin virtue visit visor visual vital vivid
vocal voice volcano volley volume vote voucher vowel voyage waffle wagon waist wait walk wall
wallet walnut walrus waltz wander warbler warm wash watch water wave wax weather weave wedge week
weekend weight welcome west whale wheat wheel whisker whisper whistle white whole wicker wide
willow wind window winner winter wire wisdom wise wish wolf wonder wood wool word work world
worthy wrap wren wrist writer yacht yard yarn year yellow yes yeti yoga yogurt young zebra zenith
zero zest zigzag zinc zipper zodiac zone zoom
"""

WORDS: tuple[str, ...] = tuple(_TEXT.split())
