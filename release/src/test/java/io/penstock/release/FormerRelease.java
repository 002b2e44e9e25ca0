package io.penstock.release;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * The release whose API must still be there. {@code release/stage --former} sets its folder, in the layout of a Maven repository, and its
 * version.
 */
final class FormerRelease {
    private FormerRelease() {}

    static String version() {
        return Staging.property("penstock.former.version");
    }

    private static Path file(String artifact, String end) {
        return Path.of(
                Staging.property("penstock.former"),
                "io/penstock",
                artifact,
                version(),
                artifact + "-" + version() + end);
    }

    static Path jar(String artifact) {
        return file(artifact, ".jar");
    }

    /** The libraries in the BOM of the release. So a jar that is missing in the folder is not taken for a library that did not exist. */
    static Set<String> libraries() throws Exception {
        NodeList managed = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(file("penstock-bom", ".pom").toFile())
                .getElementsByTagName("dependency");
        Set<String> libraries = new TreeSet<>();
        for (int i = 0; i < managed.getLength(); i++) {
            libraries.add(((Element) managed.item(i))
                    .getElementsByTagName("artifactId")
                    .item(0)
                    .getTextContent());
        }
        return libraries;
    }
}
