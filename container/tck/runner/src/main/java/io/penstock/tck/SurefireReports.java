package io.penstock.tck;

import io.penstock.tck.Outcome.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Reads the XML reports of Surefire. */
final class SurefireReports {
    private SurefireReports() {}

    /** Returns the results of all tests in all reports of a folder, sorted by class and name. */
    static List<Outcome> read(Path folder) throws IOException {
        List<Outcome> outcomes = new ArrayList<>();
        try (DirectoryStream<Path> reports = Files.newDirectoryStream(folder, "TEST-*.xml")) {
            for (Path report : reports) {
                try (InputStream in = Files.newInputStream(report)) {
                    outcomes.addAll(read(in));
                } catch (XMLStreamException e) {
                    throw new IOException(report + ": " + e.getMessage(), e);
                }
            }
        }
        outcomes.sort(Comparator.comparing(Outcome::className).thenComparing(Outcome::test));
        return outcomes;
    }

    static List<Outcome> read(InputStream in) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        XMLStreamReader reader = factory.createXMLStreamReader(in);
        List<Outcome> outcomes = new ArrayList<>();
        while (reader.hasNext()) {
            if (reader.next() == XMLStreamConstants.START_ELEMENT
                    && reader.getLocalName().equals("testcase")) {
                outcomes.add(testcase(reader));
            }
        }
        return outcomes;
    }

    /** Reads one element {@code testcase}. The reader must be at the start of the element. Afterwards, it is at the end of the element. */
    private static Outcome testcase(XMLStreamReader reader) throws XMLStreamException {
        String className = attribute(reader, "classname");
        String name = attribute(reader, "name");
        Kind kind = Kind.PASSED;
        String message = "";
        int depth = 1;
        while (depth > 0) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    depth++;
                    Kind told = kind(reader.getLocalName());
                    if (told != null && depth == 2) {
                        kind = told;
                        message = firstLine(attribute(reader, "message"));
                    }
                }
                case XMLStreamConstants.END_ELEMENT -> depth--;
                // The output of a test is ignored.
                default -> {}
            }
        }
        return new Outcome(className, name.isEmpty() ? "(the class)" : name, kind, message);
    }

    private static @Nullable Kind kind(String element) {
        return switch (element) {
            case "failure", "error" -> Kind.FAILED;
            case "skipped" -> Kind.SKIPPED;
            default -> null;
        };
    }

    private static String attribute(XMLStreamReader reader, String name) {
        String value = reader.getAttributeValue(null, name);
        return value == null ? "" : value;
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("").strip();
    }
}
