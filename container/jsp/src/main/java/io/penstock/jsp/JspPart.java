package io.penstock.jsp;

import io.penstock.part.ContainerPart;
import jakarta.servlet.ServletContainerInitializer;
import java.util.List;

/** Adds JSP to web applications: {@code *.jsp}, {@code *.jspx}, tag libraries, JSTL. Thread: any. */
public final class JspPart implements ContainerPart {

    /** The servlet's name, the same as in other containers. {@code <jsp-file>} uses it. */
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

    /** Packages that compiled pages link to, including pages that were compiled before the application was packed. */
    @Override
    public List<String> shared() {
        return List.of(
                "org.apache.jasper.runtime.",
                "org.apache.jasper.el.",
                "org.apache.jasper.JasperException",
                "org.apache.tomcat.InstanceManager");
    }

    /** The tag handlers of JSTL; an application may bring another JSTL. */
    @Override
    public List<String> offered() {
        return List.of("org.apache.taglibs.standard.");
    }
}
