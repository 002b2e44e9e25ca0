<%@ page contentType="text/html;charset=UTF-8" session="false" trimDirectiveWhitespaces="true" import="java.time.Instant" %>
<% response.setHeader("X-Made-By", "JSP"); response.setHeader("Cache-Control", "no-store"); %>
<div class="scroll"><table>
<caption>Made by ${pageContext.servletContext.serverInfo} at <%= Instant.now() %></caption>
<thead><tr><td></td><% for (int column = 1; column <= 10; column++) { %><th scope="col" class="number"><%= column %></th><% } %></tr></thead>
<tbody>
<% for (int row = 1; row <= 10; row++) { %>
<tr><th scope="row" class="number"><%= row %></th><% for (int column = 1; column <= 10; column++) { %><td class="number"><%= row * column %></td><% } %></tr>
<% } %>
</tbody>
</table></div>
