package io.penstock.jsp;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Reads only the listeners from a tag library descriptor. A DOCTYPE is skipped, and no other file is read. */
final class TagListeners {
    private static final String LISTENER_CLASS = "listener-class";

    private TagListeners() {}

    /** The names of the listener classes, in the order of the descriptor. */
    static List<String> of(TagLibrary library) throws ServletException {
        try (InputStream in = library.open()) {
            return read(in);
        } catch (XMLStreamException e) {
            int line = e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getLineNumber());
            throw new ServletException(library.name() + ":" + line + ": not well-formed XML: " + e.getMessage());
        } catch (IOException e) {
            throw new ServletException(library.name() + ": cannot be read: " + e);
        }
    }

    private static List<String> read(InputStream in) throws XMLStreamException {
        List<String> listeners = new ArrayList<>();
        XMLStreamReader reader = factory().createXMLStreamReader(in);
        while (reader.hasNext()) {
            if (reader.next() == XMLStreamConstants.START_ELEMENT
                    && reader.getLocalName().equals(LISTENER_CLASS)) {
                listeners.add(reader.getElementText().strip());
            }
        }
        return listeners;
    }

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setXMLResolver((publicId, systemId, base, namespace) -> InputStream.nullInputStream());
        return factory;
    }
}
