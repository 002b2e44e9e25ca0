package io.penstock.deploy.application;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.annotation.security.DeclareRoles;
import jakarta.annotation.security.RunAs;
import jakarta.annotation.sql.DataSourceDefinition;
import jakarta.servlet.annotation.MultipartConfig;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;

/** A servlet with an injected field. The servlet stores a text with the value of the field in a context attribute. */
@WebServlet(name = "asking", urlPatterns = "/ask", loadOnStartup = 1)
@RunAs("teller")
@DeclareRoles({"staff", "guest"})
@MultipartConfig(maxFileSize = 77)
@DataSourceDefinition(name = "java:app/env/db", className = "org.x.Source", portNumber = 5432, password = "secret")
public class InjectedServlet extends HttpServlet {
    @Resource(name = "word")
    private String word = "nothing";

    private String made = "made";

    @PostConstruct
    void filled() {
        made = "filled with " + word;
    }

    @Override
    public void init() {
        getServletContext().setAttribute("asked", made);
    }
}
