package io.penstock.release;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * The release before this release. The API of the former release must also be in this release. The script {@code release/stage --former}
 * passes the version and the folder of the former release as system properties. The folder has the layout of a Maven repository.
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

    /**
     * Returns the libraries in the BOM of the former release. The BOM also lists libraries whose jar is missing in the folder. So a test
     * can report a missing jar.
     */
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
