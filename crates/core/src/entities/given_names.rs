//! Which words are given names? Common ones of the world's main languages; no list is whole.

/// Names that are hardly anything else.
pub(super) const GIVEN_NAMES: &str = "
    aaron abdul abdullah abigail adam adele adrian agnes agnieszka ahmad ahmed aisha akira alan alain albert alberto
    alejandra alejandro aleksandr aleksandra alessandra alessandro alexander alexandra alexandre alexis alfred alfredo ali
    alice alicia alina alison allison alma alyssa amanda amelia amelie amina amir amit amy ana anastasia anders andré andrea
    andreas andrei andrej andres andrew andrey andrzej andy angela angelica angelo anita anja anke ann anna annabel anne
    annette annie antoine anton antonia antonio anya ari arjun arne arnold arthur artur arturo asha ashley astrid audrey august
    auguste aurora ava axel ayşe barbara bartosz beatrice beatriz belle ben benedikt benjamin benoît bernard bernd bernhard
    bernardo beth betty birgit björn bob bogdan bojan boris brandon brenda brian bridget britta brooke bruce bruno bryan
    camila camille carl carla carlo carlos carmen carol carolina caroline caterina catherine cathy cecilia cecilie céline cesar
    chandra charles charlie charlotte chen chiara chloe chloé chris christa christina christine christof christoph christophe
    christopher cindy claire clara claude claudia claus colin connie connor cornelia craig cristian cristiano cristina
    cynthia dagmar daisuke damian damien dan dana daniel daniela daniele danielle danny daria dario darren dave david davide
    dawid debbie deborah deepak denis denise dennis derek diana diane didier diego dieter dimitri dimitris dina dinh dirk dmitri
    dmitry dominic dominik dominique donald donna dora doris dorothy dorota doug douglas duncan dustin dylan ebba eddie
    edgar edith edmund eduard eduardo edward edwin eero egon eileen einar ekaterina elaine elena eleanor eleni eli elias elif
    elin elina elisa elisabeth elise eliza elizabeth ella ellen ellie elsa else elvira emil emilia emilie emilio emily emma
    emmanuel enrico enrique eric erica erich erik erika erin ernest ernst esteban esther ethan eugene eva evan eve evelyn ewa
    ewan fabian fabien fabio fábio fatima fatma federica federico felicia felipe felix ferdinand fernanda fernando filip filippo
    fiona florence florian françois françoise francesca francesco francis francisco franz freddie frederic frédéric frederick
    frederik frederikke friedrich fritz gabor gábor gabriel gabriela gabriele gabriella gareth gary gavin geoff geoffrey georg
    george georges georgios gerald gerard gerd gerhard gianluca gilbert gilles gina giorgio giorgos giovanna giovanni giulia
    giulio giuseppe gloria gonzalo gordon graham greg gregor gregory greta grzegorz gudrun guido guillaume guillermo gunnar
    günter gustav guy hakan halldór hamza hanna hannah hans harald harold harriet harry harvey hassan heather hector heidi
    heike heinrich heinz helen helena helene helga helge henri henrik henry henryk herbert hermann hilda hiroshi holger howard
    hubert hugh hugo ian ibrahim ida ignacio igor ilse ines inga inge ingrid irena irene irina iris isaac isabel isabella
    isabelle ismail ivan ivana ivo jacek jack jackie jacob jacqueline jacques jaime jakob jakub james jamie jan jana jane janet
    janine jared jarmila jaroslav jaroslava jasmin jason javier jean jeanne jeff jeffrey jelena jennifer jenny jens jeremy
    jerome jerry jesper jessica jesús jill jim jimmy jiří joan joana joanna joão joaquin joe joel johan johann johanna johannes
    john johnny jon jonas jonathan jorge jörg josé josef josefina joseph josephine josh joshua josip juan juana juanita judith
    judy juha jukka jule julian juliana julie julien juliet julieta julio julius jürgen justin justyna jutta kaisa kamil kara
    karel karen karim karin karina karl karla karolina karsten kasia katarina katarzyna kate katerina katharina katherine
    kathleen kathrin kathryn kathy katie katja katrin kay kazuo keith kelly ken kenji kenneth kerstin kevin khalid kieran kim
    kimberly kirsten klara klaus koji konrad konstantin kristen kristian kristin kristina kristine krzysztof kumar kurt kyle
    laila lakshmi lara lars larry laszlo laura lauren laurence laurent lauri lea leah leila lena lennart leo leon leonard
    leonardo leonie leonor leslie lewis liam lidia lili liliana lily linda ling linh lina lisa liv livia liz lorena lorenzo
    lotta lou louis louisa louise luc luca lucas lucia lucie lucy ludwig luigi luís luis luisa lukas łukasz luke lydia lynn
    maciej maddalena madeleine magda magdalena magnus mahmoud maja malik manfred manon manuel manuela marc marcel marcelo
    marcin marco marcos marcus mareike margaret margarita margherita maria mariam mariana marianne marie marija marina mario
    marion marius marjo marko markus marlene marta martha martin martina martine mary maryam massimo mateo mateusz matej matheus
    mathias mathieu matilda matteo matthew matthias matti maureen maurice mauro maxim maximilian maya megan mehmet mei melanie
    melissa mercedes mia michael michaela michał michel michela michele michelle miguel mihai mika mike mikael mikhail mikko
    mila milan milena milica mira miranda miriam mirjam miroslav mitchell mohamed mohammad mohammed moritz monica monika
    monique morgan morten muhammad mustafa myriam nadia nadine nancy naomi natalia natalie nataša nathalie nathan neil nelly
    nguyen niamh nicholas nick nico nicola nicolas nicole niels nigel nikita niklas nikola nikolai nikolaos nikos nils nina noah
    noel nora norbert norma norman nuno ole oleg olena olga oliver olivia olivier omar orsolya oscar oskar otto pablo paige
    paola paolo pascal patricia patrick patrik patryk paul paula paulina pauline paulo pavel pawel pedro peggy penelope per
    peter petr petra philip philipp philippe phoebe pia pierre pietro pilar piotr polly priya rachel radek rafael raffaele
    rahul rainer raj rajesh ralf ralph ramon randy raquel raul ravi raymond rebecca regina reinhard renata renate rené
    ricardo riccardo richard rita robert roberta roberto robin rocco rodrigo roger roland rolf roman romain ron ronald rosa
    rosemary rosie ross roxana roy ruben rudolf rui rune rupert russell ruth ryan sabina sabine sabrina sakura salma salvatore
    sam samantha samir samuel sandra sandro sanjay sara sarah sascha saskia satoshi scott sean sebastian sebastián selma sergei
    sergey sergio shane shannon sharon shaun sheila shirley sibylle silke silvia simon simona simone sofia sofie solveig sonia
    sonja sophia sophie stacy stanislav stefan stefania stefano stefanie stella stephan stephanie stephen steve steven stewart
    stuart sunil susan susanna susanne suzanne sven svetlana sylvia sylvie szymon tadeusz takashi takeshi tamara tania tânia
    tanja tanya tara tatiana tatjana ted teodor teresa terry tessa theo theodore theresa thérèse thomas thor thorsten tiago tibor
    tiffany tim timo timothy tina tobias todd tom tomas tomáš tomasz tommy toni tony torsten tracy trevor tristan tünde tyler
    ulrich ulrike umberto ursula ute uwe václav valentina valeria valérie vanessa vasily vera verena veronica veronika vicente
    vicki victor victoria vijay viktor viktoria vilma vincent vincenzo violeta vitoria vittoria vittorio vivian vladimir vlad
    vladimír walter wanda wayne wei wendy werner wilhelm william willem winston witold wojciech wolfgang xavier yan yannick
    yasmin yasmine yuki yuri yusuf yves yvette yvonne zachary zdeněk zoe zofia zoltán zsófia zuzana ángel álvaro éva ömer øystein
    александр алексей андрей анна дмитрий екатерина елена иван ирина мария михаил наталья николай ольга сергей татьяна юлия
    γιώργος μαρία ελένη νίκος
";

/// Names that are words, places, months or tools as well.
pub(super) const GIVEN_NAMES_THAT_ARE_WORDS: &str = "
    alba alex amber angel april art ash aspen asia austin autumn barry basil bella bill billy blake brad brett brook carter
    casey charity chase chelsea christian clark claire clay cliff cody cole crystal daisy dakota dale dallas dawn dean dee
    destiny dick dolly dolores don drew earl eden elle faith finn flora florida frank gale gay gene georgia ginger glen grace
    grant gray guy harmony harper hazel heath holly hope hunter iris ivy jade jasmine jay jazz jean jesse jewel jordan josh joy
    joyce julia june justice kay kit lance laurel lee lincoln london luna mac macy madison mark marshall mason matt max may
    melody mercy mike mercury miles misty molly nelson nova olive opal page paris parker pat patience pearl penny pierce piper
    pierre poppy queen randall ray red reed reid rex rich rick river rob robin rocky rod roman rose ruby rusty sage sally
    sandy savannah scarlett sidney sierra sky skye sonny spencer stan sterling stone storm sue summer sunny sydney taylor terry
    troy tucker van vera victor victory viola violet virginia wade warren will willow winter woody wren zion brooklyn charlotte
    china ada cooper drake grant israel kelvin kent major neil newton norma pascal perry santiago sol victoria watson wells
";
