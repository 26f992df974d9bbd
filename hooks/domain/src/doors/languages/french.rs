//! French.

use super::language::Language;
use crate::doors::entries::list;

pub(super) static WORDS: Language = Language {
    marks: list!(
        " le la les un une des du de et est pas je nous vous dois faut avec pour dans sur quel quelle ce \
        cette ces aux au l j on il tu votre ",
    ),
    alone: list!(
        " deploi deployer$ deployons deploye$ publi$ publier$ publie$ publions publiez publiant approuv \
        approbation autoris payer$ paie$ paye$ payons paiement regler$ facturer facture$ factures$ \
        debiter debite$ rembours acheter achete$ achetons achat abonnement resili souscri signer$ \
        signe$ signons consentement habilit privileg droits$ motdepasse ecras revoqu revocat fusionner$ \
        fusionne$ fusionnons merger$ mergeons pousser$ pousse$ poussons forcer$ force$ forcons forcee \
        prod$ identifiants jetons$ jeton$ irreversib definitivement irrevocab contourn outrepass \
        certificat salaire debranch desinstall decommission divulgu detruir detruis detruit aneanti ",
    ),
    hard: list!(
        " supprim suppress efface effac detrui vider$ vide$ vidons vidage purger$ purgeons jeter$ jette$ \
        jetons reinitialis retirer$ retire$ enlev elimin ecrabouill annuler$ annule$ annulons abandonn \
        rejeter$ revenir$ defaire$ defais$ raser$ rase$ debarrass balancer$ bazard nettoyer$ \
        nettoie$ arracher$ archiver$ ",
    ),
    things: list!(
        " commercant locataire etudiant eleve$ eleves$ enseignant professeur patient$ patients$ parents$ \
        participant auteur lecteurs$ candidat chauffeur citoyen donateur voisin hopital ecole$ livreur \
        vendeur acheteur adherent sponsor benevole prestataires$ huissier boutique comptes gens$ \
        personnes$ enregistrement prestataire fichiers$ donnees fournisseurs fisc$ justice archives$ \
        disques machines instance abonnements montant somme$ solde$ paiements commandes$ clients$ \
        client$ utilisateur abonne$ abonnes$ membre equipe$ stagiaire collegue patron fournisseur \
        partenaire presse monde$ tous$ toutes$ tout$ publique$ compte$ comptes$ base$ bases$ bdd$ \
        serveur$ serveurs grappe production prod$ ligne$ site$ sites$ domaine dns$ trafic port$ ports$ \
        pare$ parefeu firewall certificat cle$ cles$ acces$ droit$ droits$ admin administrat root$ \
        facture carte$ banque$ argent$ prix$ contrat abonnement conditions$ termes$ cgu$ sauvegarde \
        backup donnees$ historique commits$ branche$ principale$ distant distante depot$ secret \
        internet$ reseau cloud alarme alerte$ alertes$ surveillance verification controle$ controles$ \
        relecture revue$ protection machine$ disque bucket registre courriel mail$ mails$ email \
        newsletter cluster staging prelevement ",
    ),
    code: list!(
        " import imports commentaire espace espaces indentation point-virgule variable parametre \
        fonction methode classe bouton icone couleur bordure ombre todo avertissement doublon virgule ",
    ),
    ordinary: list!(
        " quel quelle quels quelles quoi$ que$ comment$ ou$ quand$ pourquoi combien qui$ nommer$ nomme$ \
        renomm appel test execut affich trier$ trie$ format ajout cree$ creer$ creons implement utilis \
        document lire$ lis$ regard cherch reprodui corrig compar mesur mock simul refactor decoup \
        continu$ continue$ continuer$ commenc genere$ generer$ renvoyer$ renvoie$ retourn install \
        mettons$ jour$ resum expliqu group gerer$ gere$ valid etape preferer preferes$ prefer choisi ",
    ),
    phrases: list!(
        "|faire savoir|fait savoir|fasse savoir|tenir au courant|mettre au courant|tel quel|telle quelle|\
        c est parti|on se lance|on bascule|on coupe|grand saut|fin de mois|ca part|fait partir|\
        faire partir|laisse* filer|fermer boutique|remet* .. a zero|remettre .. a zero|\
        remettons .. a zero|a zero|le menage|menage dans|laisser entrer|laisse .. entrer|\
        version d avant|dire oui|donner son accord|donner mon accord|on lache|on ouvre tout|\
        tout le monde entrer|plus besoin|ne sert plus|mettre au rebut|au placard|passer a la caisse|\
        appuie sur|appuyer sur|mot de passe|mots de passe|mettre en ligne|met en ligne|mets en ligne|\
        mise en ligne|mettre en prod*|mise en prod*|mets en prod*|met en prod*|passer en prod*|\
        passe en prod*|passage en prod*|en production|en prod|sur le serveur|de zero|repart* .. zero|\
        recommenc* .. zero|tout jeter|on jette|jeter a la poubelle|a la poubelle|a la corbeille|\
        en votre nom|en ton nom|a votre place|a place|de votre part|de part|au nom de|pour toujours|\
        une bonne fois|sans retour|pas de retour|point de non|feu vert|donner l acces|donne l acces|\
        l acces|les acces|donner acces|donne acces|les droits|acces a|acces au|acces aux|coup* l acces|\
        rendre public|rendre .. public*|rends .. public*|rendons .. public*|rendre visible|\
        a tout le monde|a tous|a toutes|au monde|au public|pour tous|pour toutes|pour tout le monde|\
        tout le monde|tous les clients|aux clients|au client|les clients|tout effacer|tout supprimer|\
        faire le menage|faire table rase|table rase|faire de la place|liberer de l espace|se debarrass*|\
        en finir|tirer un trait|dire adieu|laisser tomber|laisser partir|pousser de force|de force|\
        en force|malgre .. echec*|malgre .. erreur*|malgre le*|quand meme fusion*|sans relecture|\
        sans revue|sans demander|sans confirmation|sans sauvegarde|sans verif*|sans test*|hors ligne|\
        hors service|mettre hors|couper le|couper la|la carte|par carte|carte enregistree|regler la|\
        regler le|regle la|la facture|les factures|l abonnement|le contrat|les conditions|\
        conditions d utilisation|j accepte|en tant que root|comme root|comme admin*|de l argent|\
        en clair|a un tiers|a l exterieur|hors de l entreprise|vers l exterieur|passer outre|\
        fermer les yeux|ouvrir le port|au prestataire|le pare feu|pare feu|prendre la main|debrancher|\
        revenir en arriere|retour en arriere|derniers commits|la branche distante|on y va en prod|\
        tirer la prise|appuyer sur le bouton rouge|envoyer a|",
    ),
};
