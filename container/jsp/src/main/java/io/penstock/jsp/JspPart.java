package io.penstock.jsp;

import io.penstock.part.ContainerPart;
import jakarta.servlet.ServletContainerInitializer;
import java.util.List;

/** Adds JSP to web applications: {@code *.jsp} and {@code *.jspx} pages, tag libraries, and JSTL. Thread: any. */
public final class JspPart implements ContainerPart {

    /**
     * The name of the JSP servlet, which is the same in other containers. The container uses the servlet with this name for {@code
     * <jsp-file>}.
     */
    static final String SERVLET = "jsp";

    @Override
    public List<ImplicitServlet> servlets() {
        return List.of(new ImplicitServlet(SERVLET, PageServlet.class, List.of("*.jsp", "*.jspx")));
    }

    @Override
    public List<ServletContainerInitializer> initializers() {
        return List.of(new PageInitializer());
    }

    @Override
    public List<String> welcomeFiles() {
        return List.of("index.jsp");
    }

    /**
     * The packages and classes that compiled pages use. All pages use the container's classes, including pages that were compiled before
     * the application was packed.
     */
    @Override
    public List<String> shared() {
        return List.of(
                "org.apache.jasper.runtime.",
                "org.apache.jasper.el.",
                "org.apache.jasper.JasperException",
                "org.apache.tomcat.InstanceManager");
    }

    /** The tag handlers of JSTL. An application can contain another JSTL in place of these classes. */
    @Override
    public List<String> offered() {
        return List.of("org.apache.taglibs.standard.");
    }
}
