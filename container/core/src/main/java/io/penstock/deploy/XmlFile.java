package io.penstock.deploy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads a small XML file into a tree. Descriptors come with applications, so they are not trusted. A DOCTYPE is used only for its version,
 * and no other file is read. The size of the file and the depth of the elements are limited.
 */
public final class XmlFile {
    static final int MAX_BYTES = 4 * 1024 * 1024;
    static final int MAX_DEPTH = 64;

    private final String file;
    private final XMLStreamReader reader;

    private XmlFile(String file, XMLStreamReader reader) {
        this.file = file;
        this.reader = reader;
    }

    /** Reads an XML file from {@code in}. Does not close {@code in}. Error messages call the file {@code file}. */
    static XmlDocument read(String file, InputStream in) throws DeploymentException, IOException {
        byte[] bytes = in.readNBytes(MAX_BYTES + 1);
        if (bytes.length > MAX_BYTES) {
            throw new DeploymentException(SourceLocation.file(file), "larger than " + MAX_BYTES + " bytes");
        }
        try {
            XMLStreamReader reader = factory().createXMLStreamReader(new ByteArrayInputStream(bytes));
            XmlFile xml = new XmlFile(file, reader);
            String version = null;
            for (int event = reader.next(); event != XMLStreamConstants.START_ELEMENT; event = reader.next()) {
                if (event == XMLStreamConstants.DTD) {
                    version = Doctype.version(bytes);
                }
            }
            XmlElement root = xml.element(1);
            while (reader.hasNext()) {
                reader.next();
            }
            return new XmlDocument(root, version);
        } catch (XMLStreamException e) {
            int line = e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getLineNumber());
            throw new DeploymentException(new SourceLocation(file, line), "not well-formed XML: " + reason(e), e);
        }
    }

    /**
     * Reads an element. Before the call, the current event of the reader is the start tag of the element. After the call, it is the end
     * tag.
     */
    private XmlElement element(int depth) throws XMLStreamException, DeploymentException {
        SourceLocation at = new SourceLocation(file, reader.getLocation().getLineNumber());
        String name = reader.getLocalName();
        if (depth > MAX_DEPTH) {
            throw new DeploymentException(at, "<" + name + "> is nested deeper than " + MAX_DEPTH + " elements");
        }
        Map<String, String> attributes = new LinkedHashMap<>();
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            attributes.put(
                    reader.getAttributeLocalName(i), reader.getAttributeValue(i).trim());
        }
        StringBuilder text = new StringBuilder();
        List<XmlElement> children = new ArrayList<>();
        for (int event = reader.next(); event != XMLStreamConstants.END_ELEMENT; event = reader.next()) {
            switch (event) {
                case XMLStreamConstants.START_ELEMENT -> children.add(element(depth + 1));
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE ->
                    text.append(reader.getText());
                case XMLStreamConstants.ENTITY_REFERENCE ->
                    throw new DeploymentException(
                            new SourceLocation(file, reader.getLocation().getLineNumber()),
                            "<" + name + "> uses the entity &" + reader.getLocalName()
                                    + ", but descriptors may not define entities");
                default -> {} // Comments and processing instructions are ignored.
            }
        }
        return new XmlElement(name, attributes, trim(text), children, at);
    }

    /** Removes white space (as defined by XML 1.0) at the beginning and the end of the text (Servlet 14.2). */
    private static String trim(CharSequence text) {
        int start = 0;
        int end = text.length();
        while (start < end && isSpace(text.charAt(start))) {
            start++;
        }
        while (end > start && isSpace(text.charAt(end - 1))) {
            end--;
        }
        return text.subSequence(start, end).toString();
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }

    /** The message of the parser in one line. The parser's description of the location is left out. */
    private static String reason(XMLStreamException e) {
        String message = String.valueOf(e.getMessage());
        int marker = message.indexOf("Message: ");
        String bare = marker < 0 ? message : message.substring(marker + "Message: ".length());
        return bare.replaceAll("\\s+", " ").trim();
    }

    /** A factory of readers that process no DOCTYPE, read no other file, and replace no entity. */
    public static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, true);
        factory.setXMLResolver((publicId, systemId, base, namespace) -> InputStream.nullInputStream());
        return factory;
    }
}
