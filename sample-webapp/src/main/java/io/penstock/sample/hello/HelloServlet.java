package io.penstock.sample.hello;

import io.penstock.sample.page.Html;
import io.penstock.sample.page.Page;
import jakarta.servlet.annotation.WebInitParam;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Arrays;

/** Greets the person in the parameter {@code name}, in the language that the parameter or the browser requests. */
@WebServlet(urlPatterns = "/hello", initParams = @WebInitParam(name = "nobody", value = "world"))
public class HelloServlet extends HttpServlet {

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        if (name == null || name.isBlank()) {
            name = getInitParameter("nobody");
        }
        String language = request.getParameter("language");
        if (language == null) {
            language = request.getLocale().getLanguage();
        }
        Greeting greeting = Greeting.in(language);
        Page.of(request, "hello", "Hello")
                .add("""
                        <h1>Hello</h1>
                        <p class="lead">A form sends two parameters, a servlet reads them and writes this page.</p>
                        <section class="panel">
                        <p class="big" id="greeting" lang="%s">%s, %s!</p>
                        """, greeting.code(), greeting.words(), name)
                .add("""
                        <form method="get" action="hello" class="row">
                        <label>Your name <input name="name" value="%s" maxlength="60" autocomplete="name"></label>
                        <label>Language <select name="language">%s</select></label>
                        <button>Greet</button>
                        </form>
                        </section>
                        """, name, languages(greeting))
                .shows(explanation(), "hello/HelloServlet.java")
                .send(response);
    }

    private static Html languages(Greeting chosen) {
        return Arrays.stream(Greeting.values())
                .map(greeting -> Html.of(
                        "<option value=\"%s\"%s>%s</option>",
                        greeting.code(), greeting == chosen ? new Html(" selected") : "", greeting.language()))
                .collect(Html.joining());
    }

    private static Html explanation() {
        return new Html("""
                <p><code>@WebServlet</code> maps the class to <code>/hello</code>. <code>getParameter</code> reads the
                form’s fields. If there is no name, the servlet uses its init parameter. If there is no language, it
                uses <code>getLocale</code>, the language that the browser prefers (<code>Accept-Language</code>).</p>
                <p>Try <a href="hello?name=%3Cb%3EAda%3C%2Fb%3E&amp;language=fr">a name with markup in it</a>:
                the page shows the markup as text.</p>
                """);
    }
}
