package io.penstock.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Servlet 8.2.3: the merge of resource references, data sources and life-cycle callbacks. The main descriptor ({@code web.xml}) is merged
 * with the web fragments of libraries.
 */
class EnvironmentMergeTest {
    private static List<XmlElement> merged(String main, String... fragments) throws Exception {
        EnvironmentMerge merge = new EnvironmentMerge(elements("web.xml", main));
        for (int i = 0; i < fragments.length; i++) {
            merge.add(elements("f" + i + ".xml", fragments[i]));
        }
        return merge.result();
    }

    private static List<XmlElement> elements(String file, String content) throws Exception {
        return XmlFile.read(file, new ByteArrayInputStream(("<a>" + content + "</a>").getBytes(StandardCharsets.UTF_8)))
                .root()
                .children();
    }

    private static String reference(String name, String type, String... targets) {
        StringBuilder text = new StringBuilder(
                "<resource-ref><res-ref-name>" + name + "</res-ref-name><res-type>" + type + "</res-type>");
        for (String target : targets) {
            text.append("<injection-target><injection-target-class>")
                    .append(target)
                    .append(
                            "</injection-target-class><injection-target-name>x</injection-target-name></injection-target>");
        }
        return text.append("</resource-ref>").toString();
    }

    private static String callback(String kind, String type) {
        return "<" + kind + "><lifecycle-callback-class>" + type + "</lifecycle-callback-class></" + kind + ">";
    }

    private static List<String> targets(XmlElement element) {
        return element.all("injection-target").stream()
                .map(target -> target.texts("injection-target-class").get(0))
                .toList();
    }

    private static String dataSource(String url) {
        return "<data-source><class-name>C</class-name><url>" + url + "</url><name>db</name></data-source>";
    }

    @Test
    void aResourceReferenceOfAFragmentIsAddedToTheMainDescriptor() throws Exception {
        assertEquals(
                List.of("a"), targets(merged("", reference("foo", "T", "a")).get(0)));
    }

    @Test
    void aResourceReferenceOfTheMainDescriptorInheritsOnlyInjectionTargetsFromFragments() throws Exception {
        List<XmlElement> all = merged(
                reference("foo", "T", "main"), reference("foo", "U", "one"), reference("foo", "V", "two", "main"));
        assertEquals(1, all.size());
        assertEquals(List.of("T"), all.get(0).texts("res-type"));
        assertEquals(List.of("main", "one", "two"), targets(all.get(0)));
    }

    @Test
    void equalResourceReferencesAndDataSourcesOfFragmentsAreMerged() throws Exception {
        List<XmlElement> all = merged("", reference("foo", "T", "one"), reference("foo", "T", "two"));
        assertEquals(List.of("one", "two"), targets(all.get(0)));
        assertEquals(1, merged("", dataSource("jdbc:x"), dataSource("jdbc:x")).size());
    }

    @Test
    void contradictoryDeclarationsInFragmentsAreReported() {
        assertEquals(
                "f1.xml:1: <resource-ref> differs from that of the same name in f0.xml:1; web.xml must define it",
                assertThrows(DeploymentException.class, () -> merged("", reference("foo", "T"), reference("foo", "U")))
                        .getMessage());
        assertThrows(DeploymentException.class, () -> merged("", dataSource("jdbc:x"), dataSource("jdbc:y")));
    }

    @Test
    void aDataSourceOfTheMainDescriptorReplacesDataSourcesOfFragments() throws Exception {
        List<XmlElement> all = merged(dataSource("jdbc:main"), dataSource("jdbc:x"), dataSource("jdbc:y"));
        assertEquals(List.of("jdbc:main"), all.get(0).texts("url"));
        assertEquals(1, all.size());
    }

    @Test
    void aCallbackOfTheMainDescriptorReplacesCallbacksOfTheSameKindInFragments() throws Exception {
        List<XmlElement> all = merged(
                callback("post-construct", "Main"),
                callback("post-construct", "A") + callback("pre-destroy", "A"),
                callback("pre-destroy", "B") + callback("pre-destroy", "C"));
        assertEquals(
                List.of("post-construct Main", "pre-destroy A", "pre-destroy B", "pre-destroy C"),
                all.stream()
                        .map(element -> element.name() + " "
                                + element.texts("lifecycle-callback-class").get(0))
                        .toList());
    }
}
