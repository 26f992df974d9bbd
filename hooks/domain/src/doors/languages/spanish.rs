//! Spanish and Catalan.

use super::language::Language;
use crate::doors::entries::list;

pub(super) static WORDS: Language = Language {
    marks: list!(
        " el la los las un una del de que en con para por se lo su al y qu como es els le ",
    ),
    alone: list!(
        " avisar$ avisamos$ autoritz contrasenya pagar$ publico$ sobreescri desplega$ desplego$ cobrem \
        signo$ produccio$ despleg desplieg publicar$ publica$ publicamos publique$ publiquemos aprob \
        apruebo autoriz pago$ pagamos pague$ abonar$ cobrar$ cobro$ cobramos cobre$ reembols devolver$ \
        compro$ comprar$ compramos compra$ contrat suscri suscripcion cancelar$ cancelo$ firmar$ firmo$ \
        firma$ consentim consiento$ conced permisos$ permiso$ contrasena sobrescrib sobreescrib \
        sobrescrit revoc fusion mergear mergeo forzar$ fuerzo$ forzamos forzado forzada produccion \
        prod$ credencial secreto$ secretos$ confidencial irreversib definitivamente irrevocab saltarme \
        saltarse saltarnos certificado licencia sueldo nomina apagar$ apago$ apagamos destru aniquil \
        formatear$ formateo$ tarjeta factura facturas desinstal deshacerme deshacerse deshacernos \
        desech ",
    ),
    hard: list!(
        " esborr suprimei suprimir buid$ buido$ buidar$ llencar$ llenco$ llencem descarto$ desfer$ \
        desfaig$ aturo$ aturar$ aturem apago$ elimin borrar$ borro$ borra$ borramos borre$ borren$ \
        borrado suprim vaciar$ vacio$ vaciamos vacie$ purgar$ purgo$ purga$ limpiar$ limpio$ tirar$ \
        tiro$ tiramos tira$ deshacer$ deshago$ deshacemos revertir$ revierto$ descart resetear$ \
        reseteo$ restablec reinici quitar$ quito$ quitamos desactiv destroz arras barrer$ barro$ \
        cargarme echar$ echo$ echamos anul truncar$ trunco$ ",
    ),
    things: list!(
        " tienda$ tiendas$ comerciant inquilin estudiante alumn profesor paciente invitad padres$ \
        participante autor$ autora$ autores$ lectores$ candidat conductor ciudadan donante vecin \
        hospital escuela vendedor comprador voluntari patrocinad repartidor huesped gente$ personas$ \
        registros$ antiguos$ viejos$ viejas$ pagos$ pago$ importe$ saldo$ hacienda juzgado abogado \
        maquinas discos instancia archivos$ proveedores nominas clients$ client$ usuaris servidors \
        compte$ comptes$ copies$ dades$ produccio tothom$ tots$ xarxa acces$ domini cliente clientes \
        usuario usuarios suscript miembro equipo$ becario colega jefe$ proveedor socio$ prensa mundo$ \
        todos$ todas$ todo$ publico$ publica$ cuenta$ cuentas$ base$ bases$ servidor cluster produccion \
        linea$ vivo$ sitio$ web$ dominio dns$ trafico puerto$ puertos$ cortafuegos firewall certificado \
        clave$ claves$ llave$ llaves$ acceso$ accesos$ derecho admin administrad root$ factura tarjeta \
        banco$ dinero$ precio$ precios$ contrato$ suscripcion condiciones$ terminos$ copia$ copias$ \
        backup respaldo datos$ historial commits$ rama$ principal$ main$ master$ remota$ remoto$ \
        repositorio repo$ internet$ red$ nube$ alarma alerta$ alertas$ monitor vigilancia verificacion \
        control$ controles$ revision comprobacion proteccion maquina disco$ bucket registro$ correo$ \
        correos$ email$ mail$ staging pedidos$ ",
    ),
    code: list!(
        " lineas vaci csv$ prueba$ import imports importaciones comentario espacio espacios sangria \
        punto-y-coma variable parametro funcion metodo clase boton icono color borde sombra todo \
        advertencia duplicad pruebas$ test ",
    ),
    ordinary: list!(
        " cual cuales que$ como$ donde$ cuando$ cuanto cuanta quien$ nombr renombr llamo$ llamar$ llama$ \
        prueb test ejecut mostrar$ muestro$ ordeno$ ordenar$ format agrego$ agregar$ anado$ anadir$ \
        creo$ crear$ implement uso$ usar$ usamos utilic utiliz document leer$ leo$ ver$ busc reproduc \
        corrij correg compar mid$ mock simul refactor dividir$ divido$ continu seguir$ sigo$ seguimos \
        empez empiez gener instal actualiz resum explic agrup valid prefier prefer escog elij quin com$ \
        on$ quina ",
    ),
    phrases: list!(
        "|lo soltamos|los soltamos|la soltamos|hacer saber|hacemos saber|poner al corriente|que lo sepan|\
        que se enteren|damos el salto|dar el salto|nos lanzamos|nos tiramos|tal cual|le damos|\
        arrancamos|que desaparez*|cerrar el grifo|echar el cierre|pasar pagina|a cero|lo vean|\
        que entren|dejar entrar|dejo entrar|dar el si|digo que si|ya no se usa*|ya no hace* falta|\
        ya no sirve*|que todos|el boton rojo|dar el visto|damos el visto|tirar abajo|echar abajo|\
        echar para atras|version anterior|en vivo|poner en marcha|pongo en marcha|lo pongo|\
        poner en linea|pongo en linea|en linea|salir en vivo|a produccion|en produccion|a prod|en prod|\
        de cero|desde cero|desde el principio|me deshago|nos deshacemos|deshacer* de|tirar* todo|\
        lo tiro|tiro todo|a la basura|a la papelera|en tu nombre|en su nombre|en mi nombre|de tu parte|\
        para siempre|de una vez|sin vuelta|no hay vuelta|punto de no|luz verde|visto bueno|dar acceso|\
        doy acceso|dar permiso*|doy permiso*|el acceso|acceso a|acceso de|hacer publico|hago publico|\
        hacer publica|hago publica|hacemos public*|a todo el mundo|todo el mundo|a todos|a todas|\
        para todos|para todas|a los clientes|al cliente|a los usuarios|borron y cuenta|hacer limpieza|\
        hacer sitio|hacer espacio|liberar espacio|decir adios|dejar ir|por la fuerza|a la fuerza|\
        push forzado|a pesar de*|de todos modos|de todas formas|sin revisar|sin revision|sin preguntar|\
        sin confirmar|sin confirmacion|sin copia|sin probar|fuera de linea|fuera de servicio|\
        dar de baja|doy de baja|damos de baja|la tarjeta|la factura|los terminos|las condiciones|\
        el contrato|como root|como admin*|el dinero|en texto plano|en claro|a un tercero|a terceros|\
        fuera de la empresa|hacia fuera|salto la|salto el|me salto|abrir el puerto|al proveedor|\
        tirar del cable|desenchuf*|volver atras|vuelta atras|ultimos commits|apretar el boton|\
        que lo vean todos|lo subo|lo publico|lo mando|lo envio|los mando|la saco|lo saco|lo lanzo|\
        hago el merge|hacer el merge|hago push|hacer push|",
    ),
};
