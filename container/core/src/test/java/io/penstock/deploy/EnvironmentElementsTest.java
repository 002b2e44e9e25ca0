package io.penstock.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.environment.DataSourceDefinition;
import io.penstock.environment.Declarations;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests how the environment elements of {@code web.xml}, such as {@code env-entry} and {@code resource-ref}, are read (Servlet 15.2.2,
 * Jakarta EE 5.4).
 */
class EnvironmentElementsTest {
    /** An enum for tests. The value of an {@code env-entry} can be a constant of this enum. */
    public enum Colour {
        RED,
        GREEN
    }

    /** A class with a field that is an injection target. If an {@code env-entry} has no type, the type of the field is used. */
    public static class Holder {
        int limit;
    }

    private static DeclaredEnvironment read(String content) throws Exception {
        WebXml xml = WebXmlParserTest.parse("<web-app>\n" + content + "\n</web-app>");
        return EnvironmentElements.read(xml.environment(), EnvironmentElementsTest.class.getClassLoader());
    }

    private static String failure(String content) {
        return assertThrows(DeploymentException.class, () -> read(content)).getMessage();
    }

    private static String entry(String type, String value) {
        return "<env-entry><env-entry-name>e</env-entry-name>"
                + (type == null ? "" : "<env-entry-type>" + type + "</env-entry-type>")
                + (value == null ? "" : "<env-entry-value>" + value + "</env-entry-value>") + "</env-entry>";
    }

    @ParameterizedTest
    @CsvSource({
        "java.lang.String, some text",
        "java.lang.Integer, -3",
        "java.lang.Long, 5000000000",
        "java.lang.Short, 7",
        "java.lang.Byte, 8",
        "java.lang.Boolean, true",
        "java.lang.Double, 1.5",
        "java.lang.Float, 2.5",
        "java.lang.Character, x"
    })
    void theValueOfAnEntryHasTheDeclaredType(String type, String value) throws Exception {
        Object converted = read(entry(type, value)).entries().get(0).value();
        assertEquals(type, converted.getClass().getName());
        assertEquals(value, converted.toString());
    }

    @Test
    void theValueOfAnEntryMayBeAClassOrAnEnumConstant() throws Exception {
        assertEquals(
                List.class,
                read(entry("java.lang.Class", "java.util.List"))
                        .entries()
                        .get(0)
                        .value());
        assertEquals(
                Colour.GREEN,
                read(entry(Colour.class.getName(), "GREEN")).entries().get(0).value());
    }

    @Test
    void anEntryWithoutATypeHasTheTypeOfItsInjectionTarget() throws Exception {
        DeclaredEnvironment declared =
                read("<env-entry><env-entry-name>e</env-entry-name><env-entry-value>4</env-entry-value>"
                        + "<injection-target><injection-target-class>" + Holder.class.getName()
                        + "</injection-target-class>"
                        + "<injection-target-name>limit</injection-target-name></injection-target></env-entry>");
        assertEquals(4, declared.entries().get(0).value());
        assertEquals("limit", declared.targets().get(0).member());
    }

    @Test
    void anEntryWithoutAValueIsRecordedAsAReference() throws Exception {
        DeclaredEnvironment declared = read(entry("java.lang.String", null));
        assertEquals(List.of(), declared.entries());
        assertEquals("e", declared.references().get(0).name());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    java.lang.Integer | four | <env-entry-value> is not a java.lang.Integer: 'four'
                    java.lang.Character | xy | <env-entry-value> is not one character: 'xy'
                    java.util.List | a | <env-entry-value> cannot be of the type java.util.List
                    java.lang.Class | no.such.Type | <env-entry-value> names a class that cannot be loaded: no.such.Type
                    no.such.Type | a | <env-entry> is of a class that cannot be loaded: no.such.Type
                    """)
    void anInvalidTypeOrValueIsReportedWithItsLine(String type, String value, String message) {
        assertEquals("WEB-INF/web.xml:2: " + message, failure(entry(type, value)));
    }

    @Test
    void anEntryWithNoTypeAndNoInjectionTargetIsReportedWithItsLine() {
        assertEquals("WEB-INF/web.xml:2: <env-entry> lacks <env-entry-type>", failure(entry(null, "a")));
    }

    @Test
    void aNameUsedByTwoElementsIsReportedWithTheLinesOfBothElements() {
        String message = failure(
                entry("java.lang.String", "a") + "\n<resource-ref><res-ref-name>e</res-ref-name></resource-ref>");
        assertEquals(
                "WEB-INF/web.xml:3: <resource-ref> has the name 'e', which <env-entry> in WEB-INF/web.xml:2 already has",
                message);
    }

    @Test
    void anUnknownElementIsReportedWithItsLine() {
        assertEquals(
                "WEB-INF/web.xml:3: <res-reference-type> is not an element of <resource-ref>",
                failure("<resource-ref><res-ref-name>e</res-ref-name>\n<res-reference-type/></resource-ref>"));
    }

    @Test
    void eachKindOfReferenceIsReadWithItsNameAndTypeAndLookupName() throws Exception {
        DeclaredEnvironment declared = read("""
                <resource-ref><res-ref-name>a</res-ref-name><res-type>A</res-type><res-auth>Container</res-auth>
                  <res-sharing-scope>Shareable</res-sharing-scope><lookup-name>java:global/a</lookup-name></resource-ref>
                <resource-env-ref><resource-env-ref-name>b</resource-env-ref-name>
                  <resource-env-ref-type>B</resource-env-ref-type></resource-env-ref>
                <message-destination-ref><message-destination-ref-name>c</message-destination-ref-name>
                  <message-destination-type>C</message-destination-type><message-destination-usage>Consumes</message-destination-usage>
                  <message-destination-link>l</message-destination-link></message-destination-ref>
                <ejb-ref><ejb-ref-name>d</ejb-ref-name><ejb-ref-type>Session</ejb-ref-type><home>H</home><remote>D</remote>
                  <ejb-link>l</ejb-link></ejb-ref>
                <ejb-local-ref><ejb-ref-name>e</ejb-ref-name><local-home>H</local-home><local>E</local></ejb-local-ref>
                <service-ref><service-ref-name>f</service-ref-name><service-interface>F</service-interface></service-ref>
                <persistence-context-ref><persistence-context-ref-name>g</persistence-context-ref-name>
                  <persistence-unit-name>u</persistence-unit-name></persistence-context-ref>
                <persistence-unit-ref><persistence-unit-ref-name>h</persistence-unit-ref-name></persistence-unit-ref>
                """);
        assertEquals(
                List.of(
                        "a A java:global/a",
                        "b B null",
                        "c C null",
                        "d D null",
                        "e E null",
                        "f null null",
                        "g null null",
                        "h null null"),
                declared.references().stream()
                        .map(reference -> reference.name() + " " + reference.type() + " " + reference.lookup())
                        .toList());
    }

    @Test
    void allElementsOfADataSourceAreRead() throws Exception {
        DataSourceDefinition source = read("""
                <data-source><description>d</description><name>java:app/env/db</name><class-name>org.x.Source</class-name>
                  <server-name>host</server-name><port-number>5432</port-number><database-name>shop</database-name>
                  <url>jdbc:x</url><user>u</user><password>p</password><property><name>ssl</name><value>true</value></property>
                  <login-timeout>5</login-timeout><transactional>true</transactional>
                  <isolation-level>TRANSACTION_SERIALIZABLE</isolation-level><initial-pool-size>1</initial-pool-size>
                  <max-pool-size>9</max-pool-size><min-pool-size>2</min-pool-size><max-idle-time>60</max-idle-time>
                  <max-statements>50</max-statements></data-source>
                """).dataSources().get(0);
        assertEquals(
                new DataSourceDefinition(
                        "java:app/env/db",
                        "org.x.Source",
                        "jdbc:x",
                        "host",
                        5432,
                        "shop",
                        "u",
                        "p",
                        5,
                        Map.of("ssl", "true"),
                        new DataSourceDefinition.Pool(2, 9, 60, "TRANSACTION_SERIALIZABLE"),
                        "WEB-INF/web.xml:2"),
                source);
        assertTrue(!source.toString().contains("p,"), "toString() contains the password");
    }

    @Test
    void unsupportedElementsAreAcceptedAndRecorded() throws Exception {
        DeclaredEnvironment declared = read("""
                <module-name>shop</module-name>
                <message-destination><message-destination-name>m</message-destination-name></message-destination>
                <jms-connection-factory><name>j</name></jms-connection-factory><jms-destination><name>k</name></jms-destination>
                <mail-session><name>m</name></mail-session><connection-factory><name>c</name></connection-factory>
                <administered-object><name>o</name></administered-object><context-service><name>s</name></context-service>
                <managed-executor><name>e</name></managed-executor><managed-thread-factory><name>t</name></managed-thread-factory>
                <managed-scheduled-executor><name>f</name></managed-scheduled-executor>
                """);
        assertEquals("shop", declared.module());
        assertEquals(10, declared.unsupported().size());
        assertEquals(List.<Declarations.Entry>of(), declared.entries());
    }
}
