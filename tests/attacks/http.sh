#: a web page calls
says 403 http /rpc -H 'Origin: https://evil.example' -H 'Content-Type: application/json' -d '{}'
#: a web page without an origin
says 403 http /rpc -H 'Sec-Fetch-Site: cross-site' -H 'Content-Type: application/json' -d '{}'
#: a page of localhost
says 403 http /rpc -H 'Origin: http://localhost:3000' -H 'Content-Type: application/json' -d '{}'
#: a page that guesses the key
says 403 http /rpc -H 'Origin: http://127.0.0.1' -H 'Nudge-Page-Key: 0000' -H 'Content-Type: application/json' -d '{}'
#: no answer allows another origin
hides Access-Control http /health -i -H 'Origin: https://evil.example'
#: a form posts
says 415 http /rpc -d 'a=b'
#: a body without end
head -c 9000000 /dev/zero >big
says 413 http /rpc -H 'Content-Type: application/json' --data-binary @big
#: no JSON
says -32700 http /rpc -H 'Content-Type: application/json' -d '{{{{'
#: JSON that nests without end
printf '%100000s' '' | tr ' ' '[' >deep
says -32700 http /rpc -H 'Content-Type: application/json' --data-binary @deep
#: a method that is none
says -32601 rpc shutdown '{}'
#: what only the user may call
for method in mv undo delete_pitfall restart purge learn_past accept_proposal keep trust; do
    hides '"result"' rpc "$method" '{}'
done
#: a path that climbs
says 404 http /../../etc/passwd --path-as-is
