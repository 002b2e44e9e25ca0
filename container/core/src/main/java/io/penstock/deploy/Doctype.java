package io.penstock.deploy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParserFactory;
import org.jspecify.annotations.Nullable;
import org.xml.sax.Attributes;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.XMLReader;
import org.xml.sax.ext.DefaultHandler2;

/**
 * Finds the version of a descriptor in its DOCTYPE. This is needed for Servlet 2.2 and 2.3, where descriptors have no {@code version}
 * attribute. The parser stops after the identifiers of the DOCTYPE. It loads no file, and resolves no entity.
 *
 * <p>Thread: one thread at a time.
 */
final class Doctype extends DefaultHandler2 {
    private static final String LEXICAL_HANDLER = "http://xml.org/sax/properties/lexical-handler";
    private static final Pattern PUBLIC_ID =
            Pattern.compile("-//Sun Microsystems, Inc\\.//DTD Web Application (2\\.[23])//EN");
    private static final Pattern SYSTEM_ID = Pattern.compile("(?:.*/)?web-app_(2_[23])\\.dtd");

    private @Nullable String version;

    private Doctype() {}

    /** The version, such as {@code 2.3}, or null if {@code xml} has no DOCTYPE with a version. */
    static @Nullable String version(byte[] xml) throws IOException {
        Doctype doctype = new Doctype();
        try {
            XMLReader reader =
                    SAXParserFactory.newDefaultInstance().newSAXParser().getXMLReader();
            reader.setProperty(LEXICAL_HANDLER, doctype);
            reader.setContentHandler(doctype);
            reader.setErrorHandler(doctype);
            reader.parse(new InputSource(new ByteArrayInputStream(xml)));
        } catch (EnoughException e) {
            return doctype.version;
        } catch (SAXException | ParserConfigurationException e) {
            // This cannot happen, because the descriptor has already been parsed once.
            throw new IOException(e);
        }
        return null;
    }

    @Override
    public void startDTD(String name, @Nullable String publicId, @Nullable String systemId) throws SAXException {
        String given = match(PUBLIC_ID, publicId);
        if (given == null) {
            given = match(SYSTEM_ID, systemId);
        }
        version = given == null ? null : given.replace('_', '.');
        throw new EnoughException();
    }

    @Override
    public void startElement(String uri, String localName, String name, Attributes attributes) throws SAXException {
        throw new EnoughException();
    }

    private static @Nullable String match(Pattern pattern, @Nullable String id) {
        Matcher matcher = pattern.matcher(id == null ? "" : id);
        return matcher.matches() ? matcher.group(1) : null;
    }

    /** Ends the parsing, because the text after the DOCTYPE is not needed. */
    private static final class EnoughException extends SAXException {
        private static final long serialVersionUID = 1L;

        @Override
        public Throwable fillInStackTrace() {
            return this;
        }
    }
}
