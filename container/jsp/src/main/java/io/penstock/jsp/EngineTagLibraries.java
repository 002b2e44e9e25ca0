package io.penstock.jsp;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.jasper.compiler.TldCache;
import org.apache.jasper.servlet.TldScanner;
import org.apache.tomcat.util.descriptor.tld.TldResourcePath;
import org.xml.sax.SAXException;

/**
 * Lists the tag libraries of an application for the JSP engine: first the application's own libraries, then JSTL. The libraries are read at
 * the first request for a page.
 *
 * <p>Thread: any, one at a time.
 */
final class EngineTagLibraries extends TldScanner {
    private final List<TagLibrary> jars;

    private EngineTagLibraries(ServletContext context, List<TagLibrary> jars) {
        // The arguments mean: namespaces are supported, descriptors are not validated, and external entities are
        // blocked.
        super(context, true, false, true);
        this.jars = jars;
    }

    /** Reads the libraries of an application before the engine compiles its first page. */
    static synchronized void prepare(ServletContext context) throws ServletException {
        if (context.getAttribute(TldCache.SERVLET_CONTEXT_ATTRIBUTE_NAME) == null) {
            context.setAttribute(TldCache.SERVLET_CONTEXT_ATTRIBUTE_NAME, read(context));
        }
    }

    private static TldCache read(ServletContext context) throws ServletException {
        try {
            List<TagLibrary> jars = new ArrayList<>(TagLibraries.inJarsOf(context));
            jars.addAll(TagLibraries.ofContainer());
            EngineTagLibraries libraries = new EngineTagLibraries(context, jars);
            libraries.scan();
            return new TldCache(
                    context, libraries.getUriTldResourcePathMap(), libraries.getTldResourcePathTaglibXmlMap());
        } catch (IOException | UncheckedIOException | SAXException e) {
            throw new ServletException("a tag library cannot be read: " + e.getMessage(), e);
        }
    }

    /** {@link #scan} calls this method after it has read the libraries outside of jars. */
    @Override
    public void scanJars() {
        for (TagLibrary library : jars) {
            try {
                parseTld(new TldResourcePath(library.file().toURL(), library.path(), library.entry()));
            } catch (IOException | SAXException e) {
                throw new UncheckedIOException(new IOException(library.name() + ": " + e.getMessage(), e));
            }
        }
    }
}
