/** A Jakarta Servlet container in which a slow client never costs a thread. */
module io.penstock.core {
    requires transitive jakarta.servlet;
    requires org.slf4j;
    requires org.objectweb.asm;
    requires java.management;
    requires static transitive java.sql;
    requires java.xml;
    requires static java.compiler;
    requires static java.naming;
    requires static java.desktop;
    requires static org.jspecify;
    requires static jdk.jfr;
    requires static com.google.errorprone.annotations;

    exports io.penstock;
    exports io.penstock.challenges;
    exports io.penstock.environment;
    exports io.penstock.events;
    exports io.penstock.ldap to
            java.naming;
    exports io.penstock.part;
    exports io.penstock.realm;
    exports io.penstock.store;
    exports io.penstock.telemetry;

    uses io.penstock.part.CertificateIssuer;
    uses io.penstock.part.ContainerPart;
    uses java.security.Provider;

    provides java.net.spi.URLStreamHandlerProvider with
            io.penstock.certificates.StapledAnswers;
}
