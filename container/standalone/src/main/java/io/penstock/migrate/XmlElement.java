package io.penstock.migrate;

import io.penstock.deploy.XmlFile;
import io.penstock.limits.OperatorFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * One element of a file of Tomcat. No DOCTYPE is processed, and no other file is read.
 *
 * @param name the local name
 * @param attributes the attributes, in the order of the file
 * @param text the trimmed characters of the element, without those of its children
 */
record XmlElement(
        String file, int line, String name, Map<String, String> attributes, String text, List<XmlElement> children) {
    private static final int MAX_BYTES = 16 * 1024 * 1024;
    private static final int MAX_DEPTH = 64;

    /** @param name the name of the file, for messages and the report */
    static XmlElement read(Path file, String name) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return read(in.readNBytes(MAX_BYTES), name);
        } catch (IOException e) {
            throw new IOException(name + ": " + OperatorFile.reason(e), e);
        }
    }

    /** @throws IOException if the bytes are not well-formed XML; the message names the line */
    static XmlElement read(byte[] bytes, String name) throws IOException {
        try {
            XMLStreamReader reader = XmlFile.factory().createXMLStreamReader(new ByteArrayInputStream(bytes));
            while (reader.next() != XMLStreamConstants.START_ELEMENT) {
                // Comments and a DOCTYPE stand before the first element.
            }
            return element(reader, name, 1);
        } catch (XMLStreamException e) {
            int line = e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getLineNumber());
            throw new IOException("line " + line + " is not well-formed XML", e);
        }
    }

    private static XmlElement element(XMLStreamReader reader, String file, int depth)
            throws XMLStreamException, IOException {
        int line = reader.getLocation().getLineNumber();
        String name = reader.getLocalName();
        if (depth > MAX_DEPTH) {
            throw new IOException("<" + name + "> is nested deeper than " + MAX_DEPTH + " elements");
        }
        Map<String, String> attributes = new LinkedHashMap<>();
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            attributes.put(reader.getAttributeLocalName(i), reader.getAttributeValue(i));
        }
        StringBuilder text = new StringBuilder();
        List<XmlElement> children = new ArrayList<>();
        for (int event = reader.next(); event != XMLStreamConstants.END_ELEMENT; event = reader.next()) {
            switch (event) {
                case XMLStreamConstants.START_ELEMENT -> children.add(element(reader, file, depth + 1));
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE ->
                    text.append(reader.getText());
                case XMLStreamConstants.ENTITY_REFERENCE ->
                    throw new IOException("line " + reader.getLocation().getLineNumber() + " uses the entity &"
                            + reader.getLocalName() + "; write its text instead");
                default -> {} // Comments and processing instructions are ignored.
            }
        }
        return new XmlElement(file, line, name, attributes, text.toString().strip(), children);
    }

    /** The value of the attribute; the other value if there is none. */
    String get(String attribute, String otherwise) {
        return attributes.getOrDefault(attribute, otherwise);
    }

    List<XmlElement> all(String child) {
        return children.stream().filter(element -> element.name.equals(child)).toList();
    }

    /** The text of the first child of that name; empty if there is none. */
    String textOf(String child) {
        return all(child).stream().findFirst().map(XmlElement::text).orElse("");
    }
}
