package io.penstock.jsp.application;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.jsp.JspFactory;
import jakarta.servlet.jsp.PageContext;
import java.io.IOException;
import org.apache.jasper.runtime.HttpJspBase;

/** The class of a precompiled page. A build creates such a class from a JSP file. */
public class CompiledPage extends HttpJspBase {
    @Override
    public void _jspService(HttpServletRequest request, HttpServletResponse response) throws IOException {
        PageContext page =
                JspFactory.getDefaultFactory().getPageContext(this, request, response, null, true, 8192, true);
        try {
            page.getOut().print("compiled before");
        } finally {
            JspFactory.getDefaultFactory().releasePageContext(page);
        }
    }
}
